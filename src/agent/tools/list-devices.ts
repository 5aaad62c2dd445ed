import type { OwnDevice } from '../../api.js'
import type { ToolRun } from '../tool-run.js'
import { nameOf } from './find-file.js'

/** `list_devices`: the person’s devices, by the names that `find_file` takes, and which are online. */
export function listDevices(devices: () => Promise<readonly OwnDevice[]>): ToolRun {
  return async () => {
    const all = await devices()
    return {
      devices: all.map((each) => ({
        name: nameOf(each, all),
        online: each.online,
        current: each.current,
        lastSeen: each.seen
      }))
    }
  }
}
