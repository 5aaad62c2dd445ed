import type { Store } from './store.js'

/** Tells of the kinds of rows that change, until the signal aborts. */
export async function watchStore(
  store: Store,
  onEvent: (event: { kinds: string[] }) => void,
  signal: AbortSignal
): Promise<void> {
  if (signal.aborted) return
  const tell = (kinds: ReadonlySet<string>): void => onEvent({ kinds: [...kinds] })
  store.on('change', tell)
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  store.off('change', tell)
}
