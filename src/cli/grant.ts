import { resolve } from 'node:path'
import type { GrantKind, GrantsShown } from '../api.js'
import { usage } from './args.js'
import { aligned } from './table.js'

const KINDS: readonly GrantKind[] = ['files', 'calendar', 'notebook', 'memory']

/**
 * The kind and the absolute path of a grant as they were typed.
 *
 * @throws SelkieError E_USAGE
 */
export function grantOf(
  typed: string,
  path: string | undefined,
  verb: 'grant' | 'revoke'
): { kind: GrantKind; path: string | undefined } {
  const kind = KINDS.find((each) => each === typed)
  if (!kind) throw usage(`“${typed}” is none of ${KINDS.join(', ')}`, verb)
  const takesPath = kind === 'files' || kind === 'calendar'
  if (!takesPath && path !== undefined) throw usage(`${kind} takes no path`, verb)
  if (takesPath && path === undefined && verb === 'grant') throw usage('A path is missing', verb)
  return { kind, path: path === undefined ? undefined : resolve(path) }
}

export function renderGrants({ files, calendars, notebook, memory }: GrantsShown): string {
  const placed = (kind: string, list: GrantsShown['files']): string[][] =>
    list.length === 0
      ? [[kind, 'nothing']]
      : list.map(({ path, there }, i) => [i === 0 ? kind : '', there ? path : `${path} (not there now)`])
  return aligned([
    ...placed('files', files),
    ...placed('calendar', calendars),
    ['notebook', notebook ? 'granted' : 'nothing'],
    ['memory', memory ? 'granted' : 'nothing']
  ])
}
