import { isSelkieError } from '../base/errors.js'
import type { DeviceKey } from '../base/ids.js'
import { MAX_DEVICES } from '../base/limits.js'
import { checkSuccession, readCard, type CardDevice, type SignedCard } from '../keys/card.js'
import { isSealingKey, sealingKeyHash, verifySignature } from '../keys/device.js'
import { isAttestation } from '../keys/identity.js'
import { fromHex } from '../keys/sodium.js'
import { putAttestation } from './apply-skill.js'
import type { Op } from './ops.js'
import type { DeviceRow } from './rows.js'
import type { Table } from './table.js'

export type DeviceOp = Extract<Op, { type: 'state' | 'found' | 'device' | 'writer' | 'device-name' | 'card' }>

/**
 * Folds an op about this person's devices into the view.
 *
 * @returns whether it was sound; else it has changed nothing
 */
export async function applyDevices(view: Table, op: DeviceOp): Promise<boolean> {
  switch (op.type) {
    case 'state': {
      if (await view.get('owner')) return false
      for (const [key, value] of op.rows) await view.putBytes(key, value)
      return true
    }
    case 'found':
      return found(view, op)
    case 'device':
      return addDevice(view, op)
    case 'writer':
      return addWriter(view, op)
    case 'device-name': {
      const row = await view.get('device', op.device)
      if (row) await view.put('device', { ...row, name: op.name }, op.device)
      return row !== undefined
    }
    case 'card':
      break
  }
  return renewCard(view, op.card)
}

/** Logs that a device may name as its own: one, and some more where it lost one. */
const MAX_LOGS = 4

/** Whether a log is to be let in as a device's own, and isn't yet. */
export async function isNewWriter(
  view: Table,
  { device, log }: Pick<Extract<Op, { type: 'writer' }>, 'device' | 'log'>
): Promise<boolean> {
  if (!(await view.get('device', device))) return false
  let logs = 0
  for await (const { name, row } of view.all('writer')) {
    if (!row.includes(device)) continue
    if (name === log) return false
    logs++
  }
  return logs < MAX_LOGS
}

async function addWriter(view: Table, op: Extract<Op, { type: 'writer' }>): Promise<boolean> {
  const owners = (await view.get('writer', op.log)) ?? []
  // Two devices may let in the same one at once.
  if (owners.includes(op.device)) return true
  if (!(await view.get('device', op.device))) return hasNoPlace(view, op.device)
  if (!(await isNewWriter(view, op))) return false
  // A device may name another's log before that one does; it must not be taken from it by that.
  await view.put('writer', [...owners, op.device], op.log)
  return true
}

/** The label of a device's word for the log that it appends to. */
export const WRITER = 'selkie/writer/v1'

/** What that word is over: the base, and the log's key. */
export function writerBytes(base: string, log: string): Uint8Array {
  return Buffer.concat([base, log].map(fromHex))
}

/** Whether a device has named this log as the one that it appends to in this base. */
export function isWriter(base: string, op: Extract<Op, { type: 'writer' }>): boolean {
  return verifySignature(op.device, WRITER, writerBytes(base, op.log), op.signature)
}

async function found(view: Table, op: Extract<Op, { type: 'found' }>): Promise<boolean> {
  if (await view.get('owner')) return false
  const signed = read(op.card)
  const { identity } = op.attestation
  if (signed?.card.identity !== identity || !(await putAttestation(view, op.attestation))) return false
  await view.put('owner', { identity, name: op.name, card: op.card })
  for (const device of signed.card.devices) await putDevice(view, device, op.time)
  return true
}

async function addDevice(view: Table, op: Extract<Op, { type: 'device' }>): Promise<boolean> {
  const { attestation, sealing } = op
  const owner = await view.get('owner')
  if (owner?.identity !== attestation.identity || !isAttestation(attestation)) return false
  const key = fromHex(sealing)
  if (attestation.sealing !== sealingKeyHash(key) || !isSealingKey(key)) return false
  const isHere = (await view.get('device', attestation.device)) !== undefined
  if (isHere || (await hasNoPlace(view, attestation.device))) return true
  await view.put('attestation', attestation, attestation.identity, attestation.device)
  await putDevice(view, op, op.time)
  return true
}

/** Whether a device comes too late: it was removed meanwhile, or others took the last places. */
async function hasNoPlace(view: Table, key: DeviceKey): Promise<boolean> {
  const { removed } = readCard((await view.get('owner'))!.card).card
  if (removed.some(({ device }) => device === key)) return true
  let count = 0
  for await (const _ of view.all('device')) count++
  return count >= MAX_DEVICES
}

async function putDevice(
  view: Table,
  { name, sealing, attestation }: Pick<CardDevice, 'name' | 'sealing' | 'attestation'>,
  added: number
): Promise<void> {
  const { device } = attestation
  if (await view.get('device', device)) return
  const row: DeviceRow = { device, name, sealing, attestation, added, refused: 0 }
  await view.put('device', row, device)
}

/**
 * Of cards that were made apart the later in order may not fit behind the earlier: it
 * stays out, and a device then makes one of both.
 */
async function renewCard(view: Table, bytes: Uint8Array): Promise<boolean> {
  const owner = await view.get('owner')
  const next = read(bytes)
  if (!owner || !next || next.card.identity !== owner.identity) return false
  try {
    checkSuccession(readCard(owner.card), next)
  } catch (error) {
    if (isSelkieError(error)) return true
    throw error
  }
  await view.put('owner', { ...owner, name: next.card.name, card: bytes })
  return true
}

function read(bytes: Uint8Array): SignedCard | undefined {
  try {
    return readCard(bytes)
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}
