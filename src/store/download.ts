import type Hypercore from 'hypercore'

/**
 * Brings blocks of a log onto this device’s disk, waiting for who has them as long as it
 * takes. It takes no memory but for what is just on its way.
 *
 * @param fits whether a block has a size that it may have: one that hasn’t ends it
 * @returns false where a block didn’t fit
 * @throws the reason of `signal`, once that says stop
 */
export async function download(
  log: Hypercore,
  { start, end }: { readonly start: number; readonly end: number },
  fits: (index: number, bytes: number) => boolean,
  signal?: AbortSignal
): Promise<boolean> {
  await log.ready()
  signal?.throwIfAborted()
  // Many may be waited for at once, each with a listener.
  log.setMaxListeners(0)
  let isOdd = false
  const range = log.download({ start, end })
  const stop = (): void => range.destroy()
  const look = (index: number, bytes: number): void => {
    if (index < start || index >= end || fits(index, bytes)) return
    isOdd = true
    stop()
  }
  log.on('download', look)
  signal?.addEventListener('abort', stop)
  try {
    const isHere = await range.done()
    signal?.throwIfAborted()
    if (!isHere && !isOdd) throw new Error('a log was closed while blocks of it were waited for')
    return !isOdd
  } finally {
    log.off('download', look)
    signal?.removeEventListener('abort', stop)
  }
}
