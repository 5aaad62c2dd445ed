import { SelkieError } from './errors.js'
import { printable } from './printable.js'

/** Characters of a person's or a device's name. */
export const MAX_NAME = 64

/**
 * A person's or a device's name, on one line.
 *
 * @throws SelkieError E_NAME
 */
export function checkedName(typed: string): string {
  const name = typed.replace(/\s+/g, ' ').trim()
  if (!name || [...name].length > MAX_NAME) throw new SelkieError('E_NAME', { limit: MAX_NAME })
  return name
}

/** What shows a person’s own work, in lower case: nobody else may be called so. */
export const OWN_NAME = 'you'

/**
 * A name that someone chose for themselves, made visible, on one line, and unlike any of
 * those that are taken, in any case: `Bob`, `Bob 2`, `Bob 3`.
 *
 * @param taken in lower case
 * @param fallback where nothing of it can be shown
 */
export function freeName(chosen: string, taken: ReadonlySet<string>, fallback: string): string {
  const cut = (text: string, length: number): string => [...text].slice(0, length).join('')
  const wanted = printable(chosen.normalize('NFC')).replace(/\s+/g, ' ').trim() || fallback
  let name = cut(wanted, MAX_NAME)
  for (let n = 2; taken.has(name.toLowerCase()); n++) {
    const suffix = ` ${n}`
    name = cut(wanted, MAX_NAME - suffix.length) + suffix
  }
  return name
}
