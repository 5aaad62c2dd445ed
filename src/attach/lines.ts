/**
 * Cuts what arrives into lines at `\n` and hands each on without it. The bytes of a
 * line that isn’t finished are kept, up to `limit` of them.
 *
 * Node’s readline also cuts at U+2028, which JSON leaves as it is.
 *
 * @returns a function that takes the next bytes, and is false once a line went over the limit
 */
export function lineReader(limit: number, onLine: (line: string) => void): (chunk: Buffer) => boolean {
  let kept: Buffer[] = []
  let size = 0
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      if (size + end - from > limit) return false
      onLine(Buffer.concat([...kept, chunk.subarray(from, end)]).toString())
      kept = []
      size = 0
      from = end + 1
    }
    size += chunk.length - from
    if (size > limit) return false
    if (from < chunk.length) kept.push(chunk.subarray(from))
    return true
  }
}
