import type { Diagnostic } from '../api.js'
import { printable } from '../base/printable.js'
import type { ErrorFields } from '../base/errors.js'

/**
 * Every problem of a foreign folder, with what it is and what is done about it.
 * `{names}` are filled from the diagnostic's fields. Codes never change their meaning.
 * What an export does is said at the import already, and again when it is done.
 */
export const DIAGNOSTICS = {
  // What is found in a folder
  D_NO_SKILL: 'There is no SKILL.md in this folder or below it.',
  D_SYMLINK: 'It is a symbolic link. Links are never followed: it was left out.',
  D_SPECIAL: 'It is neither a file nor a folder: it was left out.',
  D_UNREADABLE: 'It can’t be read ({why}): it was left out.',
  D_CHANGED: 'It changed while it was read: it was left out. Import it again.',
  D_FILE_SIZE: 'It has {size} bytes, and a file may have {limit}: it was left out.',
  D_FILES_COUNT: 'The skill has more than {limit} files: the skill was left out.',
  D_FILES_SIZE:
    'The skill’s files have {size} bytes in all, and {limit} are allowed: the skill was left out.',
  D_IMPORT_SIZE: 'One import takes at most {limit} bytes: this skill was left out. Import it by itself.',
  D_TOO_DEEP: 'Folders deeper than {limit} levels aren’t searched: it was left out.',
  D_PATH: 'Its path {why}: it was left out.',
  D_PATH_COLLISION: 'On some systems it is the same as “{other}”: it was left out.',
  D_NODE_MODULES: 'It holds installed packages: it was left out.',
  D_EMPTY_FOLDER: 'It is an empty folder, and only files are kept: it was left out.',
  D_NESTED_SKILL: 'It lies inside another skill: it was kept as a file of that one.',
  D_FILE_NAME: 'It is called “{name}”, and many readers look for SKILL.md only: an export writes SKILL.md.',
  D_FILE_NAME_TWICE: 'There is a SKILL.md beside it: it was left out.',

  // Its text
  D_NOT_UTF8: 'It isn’t UTF-8 text: the skill was left out. Save it as UTF-8.',
  D_BOM: 'It begins with a byte order mark: that was taken off.',
  D_CRLF: 'Its lines end in CR or CR LF: they were changed to LF.',
  D_TEXT_SIZE: 'It has {size} bytes, and a body may have {limit}: the skill was left out.',
  D_SKILL_EMPTY: 'It has neither a description nor a text: the skill was left out.',
  D_INVISIBLE:
    'It holds invisible or direction-changing characters ({characters}): they were kept. Nobody who is sent the skill can take it in as it is.',
  D_INVISIBLE_MORE: 'More lines hold invisible or direction-changing characters.',
  D_INVISIBLE_FILE: 'It holds invisible or direction-changing characters ({characters}): they were kept.',

  // Its frontmatter
  D_FRONTMATTER_MISSING: 'It has no frontmatter: name and summary were taken from its folder and its text.',
  D_FRONTMATTER_OPEN:
    'No `---` line closes its frontmatter: it was taken to end before the first empty line.',
  D_FRONTMATTER_FENCE:
    'A `---` line of its frontmatter isn’t just that, or isn’t the first: an export writes it plain.',
  D_FRONTMATTER_LANGUAGE: 'Its frontmatter is “{language}”, not YAML: it was never run, and left out.',
  D_FRONTMATTER_SIZE:
    'Its frontmatter has {size} characters, and {limit} are allowed: the skill was left out.',
  D_YAML_QUOTED: 'It isn’t valid YAML as it is written: the value was taken as plain text.',
  D_YAML_TAB: 'YAML doesn’t allow tabs here: they were taken as spaces.',
  D_YAML_LOST: 'It can’t be read as YAML: an export keeps it as a comment.',
  D_YAML_DUPLICATE: '“{key}” occurs more than once: the last one counts.',
  D_YAML_STYLE: 'It is written in YAML that many readers refuse: an export writes it plain.',

  // The keys of its frontmatter
  D_NAME_MISSING: 'It has no name: it is called after its folder, and an export writes the name.',
  D_NAME: 'Its name is “{name}”: an export writes its slug, “{slug}”.',
  D_NAME_FOLDER: 'Its name is “{name}” and its folder is called “{folder}”: the name counts.',
  D_NAME_TWICE:
    'Another skill of this import is called “{name}” too: a mention means the one in the nearest folder.',
  D_TITLE: 'Its title, “{title}”, isn’t what its slug gives: an export keeps it under metadata.',
  D_TITLE_CUT: 'Its title is longer than {limit} characters: the rest was left out.',
  D_DESCRIPTION_MISSING:
    'It has no description: its summary was taken from its text, and an export writes it.',
  D_DESCRIPTION_LONG:
    'Its description has {size} characters: it is kept whole, and an export cuts it to {limit}.',
  D_SUMMARY_CUT: 'Its description is longer than {limit} characters: its summary ends there.',
  D_COMPATIBILITY_LONG:
    '“compatibility” is longer than {limit} characters: an export cuts it, the whole under metadata.',
  D_KEY_UNKNOWN: '“{key}” isn’t a key of the Agent Skills format: an export puts it under metadata.',
  D_KEY_EMPTY: '“{key}” has no value: an export leaves it out.',
  D_KEY_TEXT: '“{key}” isn’t a plain text: an export writes it as one.',
  D_TOOLS_LIST: '“allowed-tools” is a list: an export writes one text with spaces.',

  D_HIDDEN:
    'It says that it isn’t for models by themselves: it can’t be advertised, and is followed where you name it.',

  // Its mentions
  D_LINKED: '“{found}” names a skill of this import: it became @{name}.',
  D_MENTION_ESCAPED: '@{name} names nothing here: it became \\@{name}.',
  D_MENTION_SHOWN: '{found} is shown as @{name}.',

  // Folders that skills are loaded from, without an import
  D_SKILL_CALLED: 'Its name is “{name}”, which is no slug: here it is called “{slug}”.',
  D_SKILL_TWICE: '“{name}” is in {winner} and in {loser}: the first counts, the other can’t be reached.',
  D_SKILL_UNBOUND: 'The profile binds “{name}” to {to}, and there is no such version: it was left out.',

  // Granted calendars
  D_CALENDARS: 'There are more than {files} calendars, or {bytes} bytes of them: the rest was left out.',
  D_CALENDAR_SIZE: 'It has {size} bytes, and a calendar may have {limit}: it was left out.',
  D_CALENDAR_FORM: 'It holds no calendar: it was left out.',
  D_CALENDAR_CUT: 'It ends in the middle of a calendar: what is missing can’t be shown.',
  D_CALENDAR_ENCODING: 'It isn’t UTF-8 text: letters in it may be shown wrong.',
  D_CALENDAR_PROBLEMS: 'More problems were found: {count}.',
  D_EVENT: 'Events that don’t say when they are were left out: {count}, such as “{title}”.',
  D_EVENT_PART:
    'Events that can’t be read in all parts may be shown at wrong times: {count}, such as “{title}” ({part}).',
  D_EVENT_ZONE: 'It names a time zone that isn’t known, “{zone}”: its times were taken for {own}.',
  D_EVENT_OFTEN: '“{title}” is more than {limit} times in these days: the rest of them was left out.',
  D_EVENT_WORK: '“{title}” repeats in a way that takes too long to work out: some times may be missing.',
  D_EVENTS: 'More than {limit} events are in these days: not all of them were looked at.'
} as const satisfies Record<string, string>

export type DiagnosticCode = keyof typeof DIAGNOSTICS

/** Where a problem is: the file, relative to the folder that was named, and its line from 1. */
export interface Place {
  readonly path?: string
  readonly line?: number
}

/** A diagnostic of the table, its message filled with `fields` and fit to be shown. */
export function diagnostic(code: DiagnosticCode, place: Place = {}, fields: ErrorFields = {}): Diagnostic {
  const message = DIAGNOSTICS[code].replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in fields ? printable(String(fields[name])) : whole
  )
  return { code, message, ...place }
}
