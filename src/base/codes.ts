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
  E_SLUG_TOOL: {
    says: '@{slug} is a tool, not a skill.',
    hint: 'Tools are built in: they can be mentioned, but not changed or sent.'
  },
  E_SLUG_TAKEN: {
    says: '@{slug} is already a {kind}.',
    hint: 'Choose another name.'
  },
  E_MENTIONS: {
    says: 'The body mentions what can’t be used: {mentions}.',
    hint: '{near}Correct the name, enable the skill, or write \\@ for a plain at-sign.'
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
    hint: 'To go back to an earlier version: `selkie restore @{slug} VERSION`; `selkie log @{slug}` lists them.'
  },
  E_RESTORE_WHICH: {
    says: '{count} skills that were called @{slug} are deleted: {which}.',
    hint: 'Nothing was restored. Name one by the first digits of its uid: `selkie restore @{slug} --uid DIGITS`.'
  },
  E_RESTORE_UID: {
    says: 'No deleted skill that was called @{slug} has a uid that begins with “{uid}”.',
    hint: 'Run `selkie list --deleted` to see them, and give at least four digits of one.'
  },
  E_VERSION_UNKNOWN: {
    says: '@{slug} has no version {version}.',
    hint: 'Run `selkie log @{slug}` to see its versions, and give at least four digits of one.'
  },
  E_VERSION_AWAY: {
    says: 'The text of version {version} of @{slug} is not here.',
    hint: 'Of a received skill only the newest version comes along. Ask its author for the older one.'
  },
  E_EDIT_STALE: {
    says: '@{slug} was changed while you were editing it.',
    hint: 'Nothing was saved. Look at it with `selkie show @{slug}`, then edit again.'
  },
  E_INVISIBLE: {
    says: 'That version of @{slug} holds characters that nobody sees, and someone else wrote it.',
    hint: 'Nothing was changed. `selkie show @{slug} --version V` makes them visible; take over by hand what you want.'
  },
  E_MERGE_NOTHING: {
    says: 'There is nothing to merge into @{slug}: no other version stands beside the shown one.',
    hint: 'Run `selkie conflicts` to see where versions were made apart.'
  },
  E_MERGE_WHICH: {
    says: 'Beside the shown version of @{slug} there is more than one: {versions}.',
    hint: 'Name one: `selkie merge @{slug} VERSION`.'
  },
  E_MERGE_CONFLICT: {
    says: 'Both versions of @{slug} changed the same: {what}.',
    hint: 'Put the body right by hand and give it: `selkie merge @{slug} --body-file FILE`.'
  },
  E_TEXT_LIMIT: {
    says: 'The {what} is too long: {size}, and the limit is {limit}.',
    hint: 'Shorten it{or}.'
  },
  E_TITLE_EMPTY: {
    says: 'A skill needs a title and a one-line summary.',
    hint: 'Neither can be empty: `selkie new TITLE --summary S -`, or `selkie edit @slug --title T --summary S`.'
  },
  E_SKILL_HIDDEN: {
    says: '@{slug} says that it isn’t for models by themselves (disable-model-invocation, or agents/openai.yaml).',
    hint: 'So it can’t be advertised. Name it yourself when you want it: `selkie ask "Follow @{slug}."` To make it one for models, export it, take that out, and import it again.'
  },
  E_SKILL_FILE: {
    says: '@{slug} has no file {path}.',
    hint: '`selkie show @{slug}` lists its files.'
  },
  // The agent
  E_ASK_EMPTY: {
    says: 'There is nothing to ask.',
    hint: 'Say what you want: `selkie ask "What is planned for this weekend?"`'
  },
  E_NOT_GRANTED: {
    says: 'The tool may see {what}: nothing of that is granted on this device.',
    hint: 'To allow it, the person runs `selkie grant {given}` here; nothing else can.'
  },
  E_GRANTS_DAMAGED: {
    says: 'The file {path} doesn’t hold grants.',
    hint: 'So nothing is granted. Grant again what you want: `selkie grant --help` shows how.'
  },
  E_GRANT_PATH: {
    says: '{path} can’t be granted as {kind}.',
    hint: 'Name a folder that is there, or for calendars also an .ics file.'
  },
  E_GRANT_MANY: {
    says: 'No more than {limit} paths can be granted.',
    hint: 'Grant a folder that holds several of them, or revoke some: `selkie grants` lists them.'
  },
  E_GRANT_UNKNOWN: {
    says: '{path} isn’t granted.',
    hint: 'Run `selkie grants` to see what is.'
  },
  E_FIND_QUERY: {
    says: 'A query for files has 1 to {limit} words.',
    hint: 'Give a part of the name, or words that are in the text.'
  },
  E_RUN_UNKNOWN: {
    says: 'There is no run {id} on this device.',
    hint: 'Run `selkie runs` to see them, and give at least four digits of an id.'
  },
  E_RUN_WHICH: {
    says: '{id} is how {count} runs begin: {ids}.',
    hint: 'Give more digits of the one that you mean.'
  },
  E_RUN_RUNNING: {
    says: 'Run {id} still goes on.',
    hint: 'Try again once it has ended: `selkie runs` shows it as running until then.'
  },
  E_BROKEN_OFF: {
    says: 'It was broken off before it was done.',
    hint: 'Nothing of it is kept. Run it again when you like.'
  },
  E_PATTERN: {
    says: '“{pattern}” is no regular expression: {why}.',
    hint: 'Correct it, or look for a plain word.'
  },
  E_PATTERN_SLOW: {
    says: 'Looking for “{pattern}” takes too much time or room, and was stopped.',
    hint: 'Look for a plain word, or for a pattern in which nothing that repeats is repeated.'
  },
  // The agent: its model
  E_MODEL_NONE: {
    says: 'No model is set on this device.',
    hint: 'Set one: `selkie model set --url http://127.0.0.1:8080/v1 --model NAME [--key-env NAME]`, or `--gguf FILE`.'
  },
  E_MODEL_CHOICE: {
    says: 'That model can’t be set: {why}.',
    hint: 'Give its address up to and with /v1, as http://127.0.0.1:8080/v1, and where its key is: --key-env or --key-file.'
  },
  E_MODEL_PLAIN: {
    says: 'Whatever is sent to {host} by http can be read on the way, and it isn’t in your own network.',
    hint: 'Give its https address, or lead a tunnel to it.'
  },
  E_MODEL_FILE: {
    says: 'The file {path} doesn’t say which model is set.',
    hint: 'Set the model again: `selkie model set --url URL --model NAME`, or `--gguf FILE`.'
  },
  E_MODEL_GGUF: {
    says: '{path} isn’t a GGUF file that can be read.',
    hint: 'Give the file of a model as node-llama-cpp takes it; of one in parts, the first.'
  },
  E_MODEL_KEYFILE: {
    says: 'The key file {path} can be read by others on this machine.',
    hint: 'Close it, `chmod 600 {path}`, and think about who may have copied it.'
  },
  E_MODEL_KEY_MISSING: {
    says: 'There is no key for the model in {where}.',
    hint: 'Put it there. A variable must be set where the node runs: start `selkie up` anew with it, if one is up.'
  },
  E_MODEL_KEY: {
    says: 'The server of {model} doesn’t take the key, or it wants one and got none.',
    hint: 'Check the key at its provider, and with `selkie model` where it is read from.'
  },
  E_MODEL_UNKNOWN: {
    says: 'At {url} there is no {model}.',
    hint: 'Check the address, which goes up to and with /v1, and the name as its server has it: `selkie model`.'
  },
  E_MODEL_REFUSED: {
    says: 'The server of {model} refuses what it was asked (status {status}).',
    hint: 'It may know no tools. Try another model, or look into the server’s own log.'
  },
  E_MODEL_CONTEXT: {
    says: '{model} has no room for so long a conversation.',
    hint: 'Begin a new one, load fewer skills, or set a model with a longer context.'
  },
  E_MODEL_BUSY: {
    says: 'The server of {model} can’t answer now (status {status}).',
    hint: 'Try again in a while. If it stays so, look into the server’s log or your account with its provider.'
  },
  E_MODEL_MOVED: {
    says: '{url} sends on to another address, where neither your question nor a key is sent.',
    hint: 'If that is right, set the other address: `selkie model set --url URL --model NAME`.'
  },
  E_MODEL_UNREACHABLE: {
    says: 'The model at {url} can’t be reached: {why}.',
    hint: 'Check that its server runs, and the address: `selkie model`.'
  },
  E_MODEL_SLOW: {
    says: '{model} has sent nothing for {seconds} s.',
    hint: 'Try again. If it stays so, ask it less at once, or set a model that fits its machine better.'
  },
  E_MODEL_CUT: {
    says: 'The answer of {model} broke off before its end.',
    hint: 'Try again. If it stays so, look into the server’s own log.'
  },
  E_MODEL_ANSWER: {
    says: 'What came as the answer of {model} can’t be used: {why}.',
    hint: 'Check that the address is that of a model’s server, up to and with /v1: `selkie model`.'
  },
  E_MODEL_LLAMA: {
    says: 'To use a GGUF file, Selkie needs the package node-llama-cpp, which isn’t installed.',
    hint: 'Run `npm install node-llama-cpp@3.21.1` where Selkie is installed; or set a server: `selkie model set --url URL --model NAME`.'
  },
  E_MODEL_LOAD: {
    says: 'The model {path} can’t be loaded.',
    hint: 'It may be damaged, of a kind that node-llama-cpp 3.21.1 doesn’t know, or too large for this machine.'
  },
  E_MODEL_RECORD: {
    says: 'The recording ends after {count} answers, and the run asks for another.',
    hint: 'It doesn’t go as it did: something that it uses has changed since.'
  },
  // The agent: skills that a model loads
  E_SKILL_ARGUMENTS: {
    says: '{tool} can’t be called like that.',
    hint: 'Give {wanted}.'
  },
  E_SKILL_UNKNOWN: {
    says: 'There is no skill “{name}” here.',
    hint: '{near}Use a name of the catalog.'
  },
  E_SKILL_CHANGED: {
    says: 'The skill “{name}” has changed, and the version that was listed or loaded is gone.',
    hint: 'Go on without it, and say so. The program takes the newer one in when it refreshes its skills.'
  },
  E_SKILL_GONE: {
    says: 'The skill “{name}” is gone: its source has it no longer.',
    hint: 'Go on without it, and say so.'
  },
  E_SKILL_PAGE: {
    says: '“{what}” has no page {page}.',
    hint: 'Give one from 1 to {pages}.'
  },
  E_REFERENCE_PATH: {
    says: '“{path}” can’t be a file of a skill: its path {why}.',
    hint: 'Give a path as the skill’s first page lists it: relative to its folder, with /.'
  },
  E_REFERENCE_UNKNOWN: {
    says: 'The skill “{name}” has no file “{path}”.',
    hint: 'The first page that loadSkill gives lists its files.'
  },
  E_REFERENCE_BINARY: {
    says: '“{path}” isn’t text. It has {size} bytes.',
    hint: 'It can’t be read, only used where it lies, by a program that can open it.'
  },
  E_SKILL_FORM: {
    says: 'The skill “{name}” {why}.',
    hint: 'Correct it where the program makes its skills.'
  },
  E_SKILLS_OPTION: {
    says: '{option} can’t be {value}.',
    hint: 'Give a whole number from {least}.'
  },
  E_BINDING: {
    says: 'The skill “{skill}” can’t be bound to that.',
    hint: 'Bind it to the latest version, to the published one, or to one version.'
  },
  E_CALL_NOT_ATTACHED: {
    says: 'The skill “{skill}” isn’t attached here, so nothing can be called for it.',
    hint: 'Only the person attaches a skill to a profile: `selkie profile bind NAME @slug`.'
  },
  E_CALL_VERSION: {
    says: 'The skill “{skill}” is attached in another version than the one that was loaded.',
    hint: 'Load it again, then call.'
  },
  E_CALL_NOT_DECLARED: {
    says: 'The skill “{skill}” doesn’t declare the tool {tool}.',
    hint: 'For a skill, only the tools that it declares can be called.'
  },
  E_CALL_FORBIDDEN: {
    says: 'The policy doesn’t allow {tool}.',
    hint: 'Go on without it, and say so.'
  },

  E_NOTE_UNKNOWN: {
    says: 'There is no note {id} here.',
    hint: 'Run `selkie note list`, or with `--deleted`, and give at least four digits of an id.'
  },
  E_NOTE_DELETED: {
    says: 'The note {id} is deleted.',
    hint: 'To bring it back: `selkie note restore {id}`.'
  },
  E_NOTE_STALE: {
    says: 'The note {id} was changed while you were editing it.',
    hint: 'Nothing was saved. Look at it with `selkie note show {id}`, then edit again.'
  },
  E_NOTE_EMPTY: {
    says: 'A note needs a text.',
    hint: 'Give one; to be rid of a note: `selkie note delete ID`.'
  },
  E_PROFILE_NAME: {
    says: 'A profile’s name must have 1 to {limit} characters.',
    hint: 'Choose one, as `selkie profile new work`; `selkie profiles` lists those that are there.'
  },
  E_PROFILE_UNKNOWN: {
    says: 'There is no profile “{name}” here.',
    hint: 'Run `selkie profiles` to see them, or make it: `selkie profile new {name}`.'
  },
  E_PROFILE_EXISTS: {
    says: 'There is a profile “{name}” already.',
    hint: 'Use it, or choose another name.'
  },
  E_PROFILE_FULL: {
    says: 'The profile “{name}” binds {limit} skills already, and no profile binds more.',
    hint: 'Take some out with `selkie profile unbind {name} @slug`, or make another profile.'
  },
  E_NOT_BOUND: {
    says: 'The profile “{name}” doesn’t bind @{slug}.',
    hint: 'Run `selkie profiles` to see what it binds.'
  },
  E_RANGE: {
    says: '“{range}” can’t be read as days between 1900 and 2199.',
    hint: 'Give ISO dates, as 2026-03-01/2026-03-07, or words such as: today, this weekend, next week, Friday, from Monday to Friday, March 2026, the next 10 days.'
  },
  E_RANGE_ORDER: {
    says: 'The range “{range}” ends before it begins.',
    hint: 'Give the earlier date first, as 2026-03-01/2026-03-07.'
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

  // Packing and sealing
  E_PACK_MISSING: {
    says: '@{slug} can’t be sent from here yet: {what} isn’t on this device.',
    hint: 'Bring the device that it was made on online and let both sync, then send again.'
  },
  E_LIMIT_BUNDLE: {
    says: 'Sealed, this would have {size} bytes, and the limit is {limit}.',
    hint: 'Take out large files, or send skills that don’t need each other one by one.'
  },
  E_LIMIT_MANIFEST: {
    says: 'The list of what is in this bundle has {size} bytes, and the limit is {limit}.',
    hint: 'Send fewer skills at once.'
  },
  E_LIMIT_SKILLS: {
    says: 'This bundle has {size} skills, and the limit is {limit}.',
    hint: 'Mention fewer skills, so that fewer have to go together.'
  },
  E_LIMIT_ALIASES: {
    says: 'This bundle gives its skills {size} other names, and the limit is {limit}.',
    hint: 'Send fewer skills at once.'
  },
  E_LIMIT_FILES: {
    says: 'This bundle has {size} files, and the limit is {limit}.',
    hint: 'Take files out, or pack many small ones into one.'
  },
  E_LIMIT_FILE: {
    says: 'A file in this bundle has {size} bytes, and the limit is {limit}.',
    hint: 'Make the file smaller, or split it.'
  },
  E_LIMIT_CONTENT: {
    says: 'The text of @{slug} takes {size} bytes, and the limit is {limit}.',
    hint: 'Split it into several skills that mention each other.'
  },
  E_LIMIT_BODY: {
    says: 'The body of @{slug} has {size} bytes, and the limit is {limit}.',
    hint: 'Split it into several skills that mention each other.'
  },
  E_LIMIT_LINEAGE: {
    says: 'The history of @{slug} has {size} versions, and a bundle carries at most {limit}.',
    hint: 'Ask its sender to upgrade Selkie: it should have cut the history.'
  },
  E_LIMIT_NOTE: {
    says: 'The note has {size} characters, and the limit is {limit}.',
    hint: 'Shorten it.'
  },
  E_LIMIT_DEVICES: {
    says: 'This contact has {count} devices, and a bundle is sealed to 1 to {limit}.',
    hint: 'Ask them for a card that names the devices they use now.'
  },

  // Opening a bundle, in the order of the checks
  E_BUNDLE_TOO_LARGE: {
    says: 'The bundle has {size} bytes, and the limit is {limit}.',
    hint: 'Nothing was opened. Ask its sender to send fewer skills at once.'
  },
  E_BUNDLE_MAGIC: {
    says: 'This is not a Selkie bundle.',
    hint: 'Check that it is the .selkie file that you were given.'
  },
  E_BUNDLE_CUT: {
    says: 'The bundle is incomplete, or something was added to it.',
    hint: 'It was cut short or changed on its way. Ask for it to be sent again.'
  },
  E_BUNDLE_VERSION: {
    says: 'The bundle was made by a newer Selkie.',
    hint: 'Upgrade Selkie, then open it again. It is kept until then.'
  },
  E_BUNDLE_STANZAS: {
    says: 'The bundle’s beginning is damaged.',
    hint: 'Ask for it to be sent again.'
  },
  E_BUNDLE_NOT_FOR_YOU: {
    says: 'The bundle is not sealed to this device, or its beginning is damaged.',
    hint: 'Its sender may have an old card of yours: `selkie card` shows the one to give them.'
  },
  E_BUNDLE_COMMIT: {
    says: 'The bundle was changed after it was sealed.',
    hint: 'Nothing was opened. Ask for it to be sent again.'
  },
  E_BUNDLE_DAMAGED: {
    says: 'The bundle is damaged.',
    hint: 'It was changed or cut on its way. Ask for it to be sent again.'
  },
  E_BUNDLE_TRAILING: {
    says: 'Something follows the end of the bundle.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_RECIPIENT: {
    says: 'The bundle is signed for someone else.',
    hint: 'Nothing was taken over. Someone passed on what was not sent to you: tell its sender.'
  },
  E_BUNDLE_ENVELOPE: {
    says: 'The bundle’s inside was signed for another envelope.',
    hint: 'Nothing was taken over. Someone sealed it anew: tell its sender.'
  },
  E_BUNDLE_ATTESTATION: {
    says: 'The bundle’s sender is not proven: the device isn’t attested.',
    hint: 'Nothing was taken over. Ask the person you think it is from.'
  },
  E_BUNDLE_SIGNATURE: {
    says: 'The bundle’s signature is wrong.',
    hint: 'Nothing was taken over. Ask the person you think it is from.'
  },
  E_BUNDLE_TIME: {
    says: 'The bundle’s date is impossible.',
    hint: 'Nothing was taken over. Ask its sender to set the clock and send it again.'
  },
  E_BUNDLE_SENDER: {
    says: 'The bundle is from someone who is not a contact: {identity}.',
    hint: 'Pair with them first (`selkie invite`), then open it again.'
  },
  E_BUNDLE_DEVICE: {
    says: 'The bundle is from a device that its sender has removed or not yet shown.',
    hint: 'Ask your contact for the card that they have now, and whether the device is theirs.'
  },
  E_BUNDLE_SEEN: {
    says: 'The bundle was received before.',
    hint: 'Nothing was changed: `selkie inbox` shows it.'
  },
  E_BUNDLE_LENGTH: {
    says: 'The bundle’s length isn’t the one that was signed.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_PADDING: {
    says: 'The bundle holds something that isn’t signed.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_PAYLOAD: {
    says: 'The bundle’s content isn’t the one that was signed.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_LAYOUT: {
    says: 'The parts of the bundle don’t have the sizes that it gives.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_MANIFEST: {
    says: 'The list of what is in the bundle is not well-formed.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_CONTENT: {
    says: 'The text of @{slug} isn’t the one that the bundle names.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_PATH: {
    says: '@{slug} has a file whose path {problem}: {path}.',
    hint: 'Rename the file. Such a path can’t be made, or isn’t safe, on every system.'
  },
  E_PATH_COLLISION: {
    says: '@{slug} has two files that are one on some systems: {path} and {with}.',
    hint: 'Rename one of them.'
  },
  E_BUNDLE_FILE: {
    says: 'A file in the bundle isn’t the one that it names: {file}.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_UID: {
    says: 'The bundle holds a skill twice: {uid}.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_SLUG: {
    says: 'The bundle calls a skill “{slug}”, which is no slug, a tool’s, or another skill’s.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_ALIAS: {
    says: 'The bundle gives a skill another name that can’t be: {uid}.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_ROOT: {
    says: 'The skill that was sent isn’t in the bundle.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_DANGLES: {
    says: '@{slug} mentions a skill that isn’t in the bundle: {uid}.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_UNREACHED: {
    says: 'The bundle holds @{slug}, which nothing in it needs.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_TOOLS: {
    says: 'The bundle doesn’t name the tools that its skills mention.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_FILES: {
    says: 'The bundle doesn’t hold the files that its skills list.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_LINEAGE: {
    says: 'The history of @{slug} holds what isn’t its own.',
    hint: 'Nothing was taken over. Ask its sender which Selkie made it.'
  },
  E_BUNDLE_HEAD: {
    says: 'The text of @{slug} isn’t that of its newest version.',
    hint: 'Nothing was taken over. Ask for it to be sent again.'
  },
  E_BUNDLE_AUTHOR: {
    says: 'A version of @{slug} is by a device that its author hasn’t attested.',
    hint: 'Nothing was taken over. Ask its sender where the skill is from.'
  },
  E_BUNDLE_VERSION_SIGNATURE: {
    says: 'A version of @{slug} isn’t signed by its author.',
    hint: 'Nothing was taken over. Ask its sender where the skill is from.'
  },
  E_BUNDLE_ATTESTATIONS: {
    says: 'What proves the authors of this bundle’s skills is wrong or too much.',
    hint: 'Nothing was taken over. Ask its sender where the skills are from.'
  },

  // Skills as folders
  E_FOLDER: {
    says: '{path} is not a folder that can be read.',
    hint: 'Give the folder that holds a SKILL.md, or one above several such.'
  },
  E_EXPORT_EXISTS: {
    says: 'Something other than the skill is there already: {folder}.',
    hint: 'Nothing was written, and nothing there was changed. Move it away, or export to another folder.'
  },
  E_EXPORT: {
    says: '{folder} can’t be written: {why}.',
    hint: 'Check the permissions and the space there, or export to another folder. Nothing was left behind.'
  },

  // Keys, words and cards
  E_WORDS: {
    says: 'These are not the 24 words of an identity.',
    hint: 'Check each word and their order; there must be 24, with a space between them.'
  },
  E_WORDS_OTHER: {
    says: 'These are the 24 words of another identity.',
    hint: 'Give the words that were shown when this identity was made.'
  },
  E_WORDS_NEEDED: {
    says: 'This needs the 24 words of your identity, and there is no terminal to ask for them on.',
    hint: 'Run it on a terminal, or give them on stdin; never on the command line, which others can read.'
  },
  E_PASSPHRASE: {
    says: 'That passphrase does not open this home’s keys.',
    hint: 'Try again; upper and lower case count.'
  },
  E_PASSPHRASE_NEEDED: {
    says: 'This home’s keys are under a passphrase.',
    hint: 'Run it on a terminal, or give a file that holds it: `--passphrase-file FILE`.'
  },
  E_PASSPHRASE_OPEN: {
    says: 'The passphrase file {path} can be read by others on this machine.',
    hint: 'Close it, `chmod 600 {path}`, and think about who may have copied it.'
  },
  E_PASSPHRASE_EMPTY: {
    says: 'The passphrase file {path} holds no passphrase.',
    hint: 'Put one into it, on one line. Keys without a passphrase take no such file.'
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
    says: 'This card takes a device away from {name} or starts over, and only their 24 words may do that.',
    hint: 'Nothing was changed. Ask {name} whether they removed a device.'
  },

  // The home and its store
  E_IMPORT_LIMIT: {
    says: 'There are {count} skills in there, and one import takes at most {limit}.',
    hint: 'Nothing was imported. Name its folders one after the other.'
  },
  E_STEP_LIMIT: {
    says: 'That is more than can be taken in at one step.',
    hint: 'Nothing was changed. Name its folders one after the other.'
  },
  E_INPUT_TEXT: {
    says: '{path} holds no text in UTF-8.',
    hint: 'Save it as UTF-8 and try again; nothing was saved.'
  },
  E_NAME: {
    says: 'A name must have 1 to {limit} characters.',
    hint: 'Nothing was changed. Give one that is neither empty nor longer.'
  },
  E_HOME_NONE: {
    says: 'There is no identity in {home} yet.',
    hint: 'Make one: `selkie init`. Or name another folder with --home.'
  },
  E_HOME_EXISTS: {
    says: '{home} already holds an identity.',
    hint: 'Use it, or name another folder with --home.'
  },
  E_HOME_FOREIGN: {
    says: '{home} holds something else: {name}.',
    hint: 'Name an empty folder with --home, or one that doesn’t exist yet.'
  },
  E_HOME_FOLDER: {
    says: 'The folder {home} can’t be made.',
    hint: 'Check that nothing else has that name and that you may write there, or name another with --home.'
  },
  E_HOME_BUSY: {
    says: 'Another Selkie is just using {home}.',
    hint: 'Wait until it has finished, or stop it, then try again.'
  },
  E_HOME_COPIED: {
    says: '{home} is a copy of a home, or comes from another disk.',
    hint: 'Two copies of one device contradict each other, so use the original. Where it is gone for good, `selkie adopt` makes this copy the device.'
  },
  E_HOME_OWN: {
    says: '{home} isn’t a copy of another home.',
    hint: 'Use it as it is; there is nothing to adopt.'
  },
  E_ADOPT_UNREACHED: {
    says: 'None of your other devices could be reached, and one of them has to let this copy in.',
    hint: 'Let `selkie up` run on one of them, then try again. Only where all of them are gone for good: `selkie adopt --alone`, with your 24 words.'
  },
  E_STORE_DAMAGED: {
    says: 'The text of @{slug} is missing from the store.',
    hint: 'Run `selkie check` to see what else is. Another device of yours may still have it; of a received skill, its sender.'
  },
  E_FILE_AWAY: {
    says: 'A file of @{slug} isn’t on this device yet.',
    hint: 'Let `selkie up` run here and on a device that has it; `selkie devices` says what is missing.'
  },
  E_STORE_KEY: {
    says: 'The store of this home can’t be read with its keys.',
    hint: 'Keys and store belong together: put both back from the same backup.'
  },
  E_REMOVALS_LIMIT: {
    says: 'More than {limit} devices were removed over time; there is no room for another on the card.',
    hint: 'Begin a new life of the identity: `selkie recover` in a new home, then import what you export here.'
  },
  E_SUCCESSION: {
    says: 'What a device says of the store’s next base isn’t signed as it must be.',
    hint: 'It was ignored. Look at `selkie devices` for one that isn’t yours.'
  },
  E_UPGRADE: {
    says: 'A newer Selkie has written to this store.',
    hint: 'Upgrade Selkie on this device; until then it shows what it has and changes nothing.'
  },
  E_UPGRADE_THERE: {
    says: '{contact} has to upgrade Selkie on the device that was reached.',
    hint: 'It stays queued and arrives when they have, or when another device of theirs is online.'
  },

  // The command line, and the node behind its socket
  E_USAGE: {
    says: '{why}.',
    hint: '{near}Run `selkie {verb}--help` to see how it is used.'
  },
  E_ASK: {
    says: 'This asks something, and there is no terminal to ask on.',
    hint: 'Answer it on the command line: {flag}.'
  },
  E_NOT_CONFIRMED: {
    says: 'Nothing was changed.',
    hint: 'Run it again when you are sure.'
  },
  E_ASK_ALIKE: {
    says: 'You and {name} must see the same words, and there is no terminal to ask on. Yours: {words}.',
    hint: 'Compare them with theirs. Only when they are exactly alike: `selkie verify {contact} --yes`.'
  },
  E_NOT_ALIKE: {
    says: '{name} is not marked as verified, because the words were not alike.',
    hint: 'Someone may be between the two of you. `selkie forget {contact}`, then pair again by another way.'
  },
  E_INPUT_FILE: {
    says: '{path} can’t be read: {why}.',
    hint: 'Check the path, and that the file is yours to read.'
  },
  E_OUTPUT_FILE: {
    says: '{path} can’t be written: {why}.',
    hint: 'Choose another place for it.'
  },
  E_EDITOR: {
    says: 'The editor `{editor}` didn’t end well, so nothing was saved.',
    hint: 'Your text is in {path}. Set VISUAL or EDITOR to the editor that you want.'
  },
  E_HOME_PATH: {
    says: 'The path of this home is {over} bytes too long for a socket: {home}.',
    hint: 'Choose a shorter one with `--home DIR` or SELKIE_HOME.'
  },
  E_UP_ALREADY: {
    says: 'A node is already up on this home.',
    hint: 'Use it: every command finds it by itself. `selkie status` shows it.'
  },
  E_NODE_DOWN: {
    says: 'No node is up on this home, and this needs one that stays.',
    hint: 'Start one in another terminal with `selkie up`, then try again.'
  },
  E_NODE_GONE: {
    says: 'The node stopped before it answered.',
    hint: 'It may have been done all the same: look where it would show, as `selkie list`, `selkie inbox` or `selkie runs`, before you try again.'
  },
  E_NODE_SILENT: {
    says: 'The Selkie that uses this home doesn’t answer.',
    hint: 'If it was suspended (Ctrl-Z), let it go on: `fg`. Else stop it, and try again.'
  },
  E_NODE_OTHER: {
    says: 'The node that is up is of another version than this command.',
    hint: 'Stop it, and start it again with `selkie up`.'
  },
  E_REQUEST: {
    says: 'The node can’t use what it was asked: {why}.',
    hint: 'Use a command and a node of the same version.'
  },
  E_DISK_FULL: {
    says: 'The disk is full, or nearly.',
    hint: 'Make room on it, then try again. Nothing of this was saved, and nothing is lost.'
  },
  E_DISK_FULL_LATE: {
    says: 'The disk became full while this was being written.',
    hint: 'It may have been saved all the same. Make room, then look whether it is there before you try again.'
  },
  E_NO_ACCESS: {
    says: 'The system doesn’t let Selkie use {path}.',
    hint: 'Check whose it is, and its permissions.'
  },
  E_READ_ONLY: {
    says: 'The disk can’t be written to, only read: {path}.',
    hint: 'Name a home on another disk with --home.'
  },
  E_SYSTEM: {
    says: 'The system refused {path}: {why}.',
    hint: 'Check the path, then try again.'
  },
  E_INTERNAL: {
    says: 'Something went wrong inside Selkie that it doesn’t know.',
    hint: 'Try again. If it comes back, run it with NODE_DEBUG=selkie set and report what it prints.'
  },

  // Other agents, by MCP
  E_MCP_PORT: {
    says: 'Port {port} can’t be used: {why}.',
    hint: 'Choose another, or 0 for any that is free.'
  },
  E_MCP_TOKEN_FILE: {
    says: 'The token file {path} can’t be used: {why}.',
    hint: 'Put 32 to 512 letters, digits, - or _ in it, and let nobody else read it: `chmod 600 {path}`.'
  },
  E_MCP_HOST: {
    says: 'This request was sent to another host than this one.',
    hint: 'Use {hosts}.'
  },
  E_MCP_ORIGIN: {
    says: 'This request comes from another origin than this one.',
    hint: 'Pages of other sites get nothing here.'
  },
  E_MCP_TOKEN: {
    says: 'This request doesn’t bring the token.',
    hint: 'Send the one that `selkie mcp` has shown, as “Authorization: Bearer TOKEN”.'
  },
  E_MCP_PATH: {
    says: 'There is nothing here.',
    hint: 'MCP is spoken at {path}.'
  },
  E_MCP_METHOD: {
    says: 'MCP doesn’t use this method.',
    hint: 'It is spoken with GET, POST and DELETE.'
  },
  E_MCP_SIZE: {
    says: 'The request is larger than {limit} bytes.',
    hint: 'Send less at once.'
  },
  E_MCP_SESSION: {
    says: 'There is no such session, or it has ended.',
    hint: 'Begin anew with “initialize”.'
  },
  E_MCP_SESSIONS: {
    says: 'There are {limit} sessions already, and each is in use.',
    hint: 'End one of them, then try again.'
  },

  // Pairing
  E_INVITE_FORM: {
    says: 'That is not an invite.',
    hint: 'Copy it whole, from the first letter to the last, or ask for a new one.'
  },
  E_INVITE_EXPIRED: {
    says: 'The invite has expired.',
    hint: 'Whoever made it makes a new one: `selkie invite`, or `selkie device invite` for a device of their own. `--expires 1h` keeps it open longer.'
  },
  E_INVITE_ENDED: {
    says: 'The invite has ended: the node that held it open has stopped.',
    hint: 'Start it again, `selkie up`, and make a new one: `selkie invite`, or `selkie device invite` for a device of yours.'
  },
  E_INVITE_USED: {
    says: 'The invite was used already.',
    hint: 'Each is good for one person. Ask for a new one.'
  },
  E_INVITE_UNKNOWN: {
    says: 'This node has no such invite open.',
    hint: 'Invites end when the node stops or starts anew. Make a new one: `selkie invite`, or `selkie device invite` for a device of yours.'
  },
  E_PAIR_REFUSED: {
    says: 'The other side did not take the pairing.',
    hint: 'Ask the person who made the invite what their node says.'
  },
  E_PAIR_UNREACHED: {
    says: 'The person who made the invite can’t be reached.',
    hint: 'An invite ends when the node that made it stops or starts anew: then ask for a new one. Else let both nodes be online, on the same network: compare --bootstrap.'
  },
  E_PAIR_SELF: {
    says: 'That is your own.',
    hint: 'Give your invite or your card to the person whom you want to pair with.'
  },
  E_OFFLINE: {
    says: 'This node is not online.',
    hint: 'Start it: `selkie up`, and leave it running.'
  },

  // A person's own devices
  E_DEVICE_UNKNOWN: {
    says: 'None of your devices is “{device}”.',
    hint: 'Run `selkie devices` to see them, and give a name or at least eight digits of a key.'
  },
  E_DEVICE_LOG: {
    says: 'What {name} writes can’t be read any more: no Selkie writes like that.',
    hint: 'Look at that device. If it isn’t in your hands, take it out with `selkie device remove {name}`.'
  },
  E_DEVICE_WHICH: {
    says: '“{device}” is the name of more than one of your devices: {keys}.',
    hint: 'Give the key of the one that you mean.'
  },
  E_INVITE_CONTACT: {
    says: 'This isn’t an invite to be one of your own devices.',
    hint: 'Make one with `selkie device invite` on a device that you have. An invite of a contact goes to `selkie pair INVITE`.'
  },
  E_INVITE_DEVICE: {
    says: 'This is an invite to be one of someone’s own devices, not their contact.',
    hint: 'Your contact makes one for you with `selkie invite`. For a further device of yours use `selkie device join INVITE`.'
  },
  E_JOIN_UNREACHED: {
    says: 'No device answered.',
    hint: 'An invite ends when Selkie stops or starts anew on the device that made it: then make a new one there. Else let both be on the network, and try again.'
  },
  E_JOIN_FOREIGN: {
    says: 'Whoever answered isn’t the device that made the invite.',
    hint: 'Make a new invite on that device, `selkie device invite`, and try again.'
  },
  E_JOIN_REFUSED: {
    says: 'The other device did not take this one in.',
    hint: 'Make a new invite there with `selkie device invite`, and try again.'
  },
  E_RECOVER_UNREACHED: {
    says: 'None of the devices of this identity answered, so its skills can’t come from there.',
    hint: 'Start one (`selkie up`) and try again; or, if all are lost, give `--name NAME` to begin anew with the identity alone.'
  },
  E_DEVICE_CURRENT: {
    says: '{name} is the device that you are on, and no device can remove itself.',
    hint: 'Remove it from another of your devices.'
  },

  // Contacts and deliveries
  E_CONTACT_UNKNOWN: {
    says: 'There is no contact “{contact}” here.',
    hint: 'Run `selkie contacts` to see them, or pair with `selkie invite`.'
  },
  E_QUOTA: {
    says: '{contact} has no room for more bundles at the moment.',
    hint: 'It stays queued and goes out when they have accepted or declined some. Nothing is lost.'
  },
  E_QUOTA_HERE: {
    says: 'The inbox has no room for this bundle.',
    hint: 'Accept or decline some of what waits: `selkie inbox`.'
  },
  E_FILE_EXISTS: {
    says: 'The file {path} exists already.',
    hint: 'Choose another name; nothing was overwritten.'
  },
  E_FILE_WRITE: {
    says: 'The file {path} can’t be written.',
    hint: 'Check that the folder exists, is yours, and has room.'
  },
  E_FILE_READ: {
    says: 'The file {path} can’t be read.',
    hint: 'Check the path, and that the file is yours to read.'
  },
  E_DELIVERY_UNKNOWN: {
    says: 'There is no bundle {id} in the inbox.',
    hint: 'Run `selkie inbox` to see what has arrived, and give at least four digits of an id.'
  },
  E_INBOX_DONE: {
    says: 'The bundle {id} was {state} already.',
    hint: 'Run `selkie inbox` to see what still waits.'
  },
  E_INBOX_GONE: {
    says: 'The sealed file of bundle {id} is missing or was changed.',
    hint: 'Nothing was taken over. Decline it and ask its sender for it again.'
  },
  E_INBOX_AWAY: {
    says: 'The sealed file of bundle {id} isn’t on this device yet.',
    hint: 'Bring the device that it arrived on online and let both sync, then review it again.'
  },
  E_INBOX_OTHER_DEVICE: {
    says: 'This bundle was sealed before this device was added.',
    hint: 'Review it on another device of yours.'
  },

  // Review and import
  E_NOT_REVIEWED: {
    says: 'The bundle {id} was not reviewed yet.',
    hint: 'Look at it first: `selkie review {id}`.'
  },
  E_REVIEW_STALE: {
    says: 'Since the review of {id}, something changed that it showed.',
    hint: 'Nothing was taken over. Look again: `selkie review {id}`.'
  },
  E_BLOCKED: {
    says: 'Something in {skills} must be dealt with first: {why}.',
    hint: 'Leave it out with --drop, put a skill of yours in its place with --use-mine, or decline the bundle.'
  },
  E_UNRELATED: {
    says: 'A skill here goes by the id of {skills} and shares no version with it.',
    hint: 'Keep the one that is here with --use-mine, or decline the bundle, delete that one and ask again.'
  },
  E_DECISION_UNKNOWN: {
    says: 'The bundle has no skill called “{incoming}”.',
    hint: 'Name its skills as their sender does, in the first column of the review.'
  },
  E_REVIEW_FILE: {
    says: '“{incoming}” has no file {path}.',
    hint: 'The review lists its files; give one as --file {incoming}/PATH.'
  },
  E_DECISION_TWICE: {
    says: 'There are two decisions on “{incoming}”.',
    hint: 'Give one of --rename, --use-mine and --drop for each skill.'
  },
  E_RENAME_HERE: {
    says: '“{incoming}” is here already, as @{slug}.',
    hint: 'Accept it first, then `selkie rename @{slug} NEW`.'
  },
  E_USE_MINE_HERE: {
    says: '“{incoming}” is here already, as @{slug}: no other skill can stand in for it.',
    hint: 'Keep yours with --use-mine {incoming}={slug}.'
  },
  E_DROP_NEEDED: {
    says: '“{incoming}” can’t be left out: {by} needs it.',
    hint: 'Leave those out too, or put a skill of yours in its place with --use-mine {incoming}=SLUG.'
  }
} as const satisfies Record<string, { says: string; hint: string }>

export type ErrorCode = keyof typeof ERRORS
