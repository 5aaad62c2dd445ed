import type { DeviceKey } from '../base/ids.js'
import type { Op } from '../store/ops.js'
import type { Store } from '../store/store.js'

/** Rows and bytes of one op, about. */
const MAX_ROWS = 5000
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The state of a store as the ops that another base begins with: everything but whose
 * logs it was written in, and without the devices that are removed.
 */
export async function* stateOf(store: Store, removed: ReadonlySet<DeviceKey>): AsyncGenerator<Op> {
  let rows: [string, Uint8Array][] = []
  let size = 0
  for await (const { key, value } of store.view.everything()) {
    const [kind, name] = key.split('/')
    if (kind === 'owner' || kind === 'writer' || (kind === 'device' && removed.has(name as DeviceKey)))
      continue
    if (rows.length === MAX_ROWS || (rows.length > 0 && size + value.length > MAX_BYTES)) {
      yield { type: 'state', rows }
      rows = []
      size = 0
    }
    rows.push([key, value])
    size += key.length + value.length
  }
  if (rows.length > 0) yield { type: 'state', rows }
}
