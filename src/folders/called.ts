import { sep } from 'node:path'

/**
 * What folders are called where each must be told from the others: the last part of
 * its path, or as many parts as it takes, with `/`. No name leads into the folder of
 * another, but where that is so on the disk.
 *
 * @param paths absolute
 */
export function calledFolders(paths: readonly string[]): string[] {
  const parts = [...new Set(paths)].map((path) => path.split(sep))
  const most = Math.max(...parts.map(({ length }) => length))
  // All are cut to one length: so a longer name can’t go on where a shorter one ends.
  for (let length = 1; length < most; length++) {
    if (new Set(parts.map((each) => tail(each, length))).size === parts.length)
      return paths.map((path) => tail(path.split(sep), length))
  }
  return paths.map((path) => tail(path.split(sep), most))
}

/** The last parts of a path, or the whole of one that hasn’t so many. */
function tail(parts: readonly string[], length: number): string {
  return parts.slice(-length).join('/') || '/'
}
