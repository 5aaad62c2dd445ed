/**
 * Every code that Selkie shows, with what happened and what to do next. `{names}` are
 * filled from the error's fields. Codes never change their meaning.
 */
export const ERRORS = {
  // The namespace
  E_SLUG_FORM: {
    says: '“{slug}” can’t be a slug.',
    hint: 'Use lower-case letters a–z, digits and single hyphens, at most 64 characters.'
  },
  E_SLUG_UNKNOWN: {
    says: 'There is no skill @{slug} here.',
    hint: '{near}Run `selkie list` to see what there is.'
  },
  E_SLUG_TAKEN: {
    says: '@{slug} is already a {kind}.',
    hint: 'Choose another name.'
  },
  E_MENTIONS: {
    says: 'The body mentions what can’t be used: {mentions}.',
    hint: 'Correct the name, enable the skill, or write \\@ for a plain at-sign. {near}'
  },
  E_MENTIONED: {
    says: '@{slug} is mentioned by {by}.',
    hint: 'Take the mention out of those skills first, then delete again.'
  },
  E_DANGLES: {
    says: 'This text mentions skills that are deleted: {mentions}.',
    hint: 'Restore those first: `selkie restore @slug`.'
  },
  E_NOT_DELETED: {
    says: '@{slug} is not deleted.',
    hint: 'To go back to an earlier version, copy its text: `selkie log @{slug}`.'
  },
  E_VERSION_UNKNOWN: {
    says: '@{slug} has no version {version}.',
    hint: 'Run `selkie log @{slug}` to see its versions.'
  },
  E_TEXT_LIMIT: {
    says: 'The {what} is too long: {size}, and the limit is {limit}.',
    hint: 'Shorten it, or move part of it into a file of the skill.'
  },
  E_TITLE_EMPTY: {
    says: 'A skill needs a title and a one-line summary.',
    hint: 'Give both: `selkie new "Plan a trip" --summary "How to plan a trip" --body -`.'
  },
  // Encoded values
  E_ENCODING: {
    says: 'What was received is not well-formed: {why}.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_CONTENT: {
    says: 'A skill that was received is not well-formed: {why}.',
    hint: 'Nothing was taken over. Ask its sender for it again.'
  },

  // Keys, words and cards
  E_WORDS: {
    says: 'These are not the 24 words of an identity.',
    hint: 'Check each word and their order; there must be 24, with a space between them.'
  },
  E_PASSPHRASE: {
    says: 'That passphrase does not open this home’s keys.',
    hint: 'Try again; upper and lower case count.'
  },
  E_PASSPHRASE_NEEDED: {
    says: 'This home’s keys are under a passphrase.',
    hint: 'Run it on a terminal, or give a file that holds it: `--passphrase-file FILE`.'
  },
  E_KEY_OPEN: {
    says: 'The key file {path} can be read by others on this machine.',
    hint: 'Close it, `chmod 600 {path}`, and think about who may have copied it.'
  },
  E_KEY_DAMAGED: {
    says: 'The key file {path} is damaged.',
    hint: 'Put it back from a backup. Without one, make a new home and pair with your contacts again.'
  },
  E_CARD: {
    says: 'This contact card can’t be used: {why}.',
    hint: 'Ask for a new one, or pair by an invite: `selkie invite`.'
  },
  E_CARD_OLD: {
    says: 'This card of {name} is older than the one that is known here.',
    hint: 'Nothing was changed. Ask {name} for the card that they have now.'
  },
  E_CARD_ROOT: {
    says: 'This card takes a device away from {name}, and only their 24 words may do that.',
    hint: 'Nothing was changed. Ask {name} whether they removed a device.'
  }
} as const satisfies Record<string, { says: string; hint: string }>

export type ErrorCode = keyof typeof ERRORS
