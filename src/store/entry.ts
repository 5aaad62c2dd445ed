import type { DeviceKey } from '../base/ids.js'
import { applyOp } from './apply.js'
import { isWriter } from './apply-devices.js'
import { decodeOp, MAX_ENTRY, type Op } from './ops.js'
import type { Table } from './table.js'

/** One entry of a device's log. */
export interface Entry {
  /** Public key of the log, 64 hex digits. */
  readonly log: string
  readonly bytes: Uint8Array
}

/**
 * Folds one entry of one log into the view. What isn't valid changes nothing and is
 * counted in the row of the device whose log it is: bytes that are no op, an op that is
 * someone else's to write, one that is forged or that breaks a rule.
 *
 * @param base public key of the base, 64 hex digits
 * @returns the log that may append from now on, where the entry lets one in
 * @throws SelkieError E_UPGRADE
 */
export async function applyEntry(
  view: Table,
  { log, bytes }: Entry,
  base: string
): Promise<string | undefined> {
  const owners = (await view.get('writer', log)) ?? []
  const op = bytes.length > MAX_ENTRY ? undefined : decodeOp(bytes)
  const isKnown = op?.type === 'writer' && (await view.get('writer', op.log)) !== undefined
  const sound = op && isTheirs(op, owners, log, base) && (await applyOp(view, op))
  if (!sound) {
    for (const device of owners) await countRefused(view, device)
    return undefined
  }
  // Whoever founds a base is its first writer.
  if (op.type === 'found') await view.put('writer', [op.attestation.device], log)
  return op.type === 'writer' && !isKnown ? op.log : undefined
}

/** Whether it is for the owner of a log to say this: of versions, only its own; of a base, only the founder. */
function isTheirs(op: Op, owners: readonly DeviceKey[], log: string, base: string): boolean {
  if (op.type === 'state' || op.type === 'found') return owners.length === 0 && log === base
  if (op.type === 'save') return owners.includes(op.version.device)
  return owners.length > 0 && (op.type !== 'writer' || isWriter(base, op))
}

async function countRefused(view: Table, device: DeviceKey): Promise<void> {
  const row = await view.get('device', device)
  if (row) await view.put('device', { ...row, refused: row.refused + 1 }, device)
}
