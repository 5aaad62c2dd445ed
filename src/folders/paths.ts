import { MAX_PATH, MAX_PATH_DEPTH } from '../base/limits.js'

/**
 * What keeps a file's path out of a skill and out of a bundle, as words that follow
 * “its path …”; undefined when the path is safe to create on every system.
 *
 * A path is relative, with `/`, in NFC, at most 240 bytes of UTF-8 and 16 segments.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (Buffer.byteLength(path) > MAX_PATH) return `is longer than ${MAX_PATH} bytes`
  if (path.includes('\\')) return 'holds a backslash'
  if (path.startsWith('/')) return 'is absolute'
  if (/\p{Surrogate}/u.test(path)) return 'isn’t valid Unicode'
  if (path !== path.normalize('NFC')) return 'isn’t in Unicode’s composed form (NFC)'
  if (folded(path) === 'SKILL.MD') return 'is that of the skill’s own text'
  const segments = path.split('/')
  if (segments.length > MAX_PATH_DEPTH) return `is deeper than ${MAX_PATH_DEPTH} levels`
  for (const segment of segments) {
    const problem = segmentProblem(segment)
    if (problem) return problem
  }
  return undefined
}

/**
 * The paths that a file system without regard to case or to Unicode’s forms would take
 * for another one, or that would have to be a file and a folder at once: each with the
 * path, earlier in the list, that it meets.
 */
export function collisions(paths: readonly string[]): { path: string; with: string }[] {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  const found: { path: string; with: string }[] = []
  for (const path of paths) {
    const parents = [...path.matchAll(/\//g)].map((slash) => path.slice(0, slash.index))
    const other = meets(path, parents, files, folders)
    if (other !== undefined) {
      found.push({ path, with: other })
      continue
    }
    files.set(folded(path), path)
    for (const parent of parents) if (!folders.has(folded(parent))) folders.set(folded(parent), path)
  }
  return found
}

function meets(
  path: string,
  parents: readonly string[],
  files: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string>
): string | undefined {
  const same = files.get(folded(path)) ?? folders.get(folded(path))
  if (same !== undefined) return same
  for (const parent of parents) {
    const file = files.get(folded(parent))
    if (file !== undefined) return file
    // `Docs/a` and `docs/b` share one folder on one system and have two on another.
    const below = folders.get(folded(parent))
    if (below !== undefined && !below.startsWith(`${parent}/`)) return below
  }
  return undefined
}

/** Decomposed, lower, then upper: `ß` and `SS`, `ſ` and `s`, the Kelvin sign and `k` meet. */
function folded(path: string): string {
  return path.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD')
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'has an empty segment'
  if (segment === '.' || segment === '..') return `has the segment “${segment}”`
  if (CONTROL.test(segment)) return 'holds a control character'
  if (INVISIBLE.test(segment)) return 'holds an invisible or direction-changing character'
  if (FORBIDDEN.test(segment)) return 'holds one of : < > " | ? *'
  if (/[. ]$/.test(segment)) return 'has a segment that ends in a dot or a space'
  if (DEVICE.test(segment)) return 'has a segment that is a device on Windows'
  if (/~\d/.test(segment)) return 'has a segment like a short name of Windows (~1)'
  if (PRIVATE.has(folded(segment))) return `has the segment “${segment}”, which holds settings or secrets`
  return undefined
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Format characters and all else that is drawn as nothing. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

const FORBIDDEN = /[:<>"|?*]/

/** With any extension, and with the spaces that Windows drops before it. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|$)/i

/**
 * Version control, secrets, and the folders from which agents and editors take
 * settings, hooks or code to run: never inside a skill.
 */
const PRIVATE: ReadonlySet<string> = new Set(
  (
    '.git .hg .svn .env .npmrc .netrc .ssh .aws .gnupg .claude .codex .agents .cursor .gemini .goose .pi ' +
    '.vscode .idea .windsurf .continue .opencode .cline .roo .kiro .zed'
  )
    .split(' ')
    .map(folded)
)
