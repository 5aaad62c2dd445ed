import type { Op } from './ops.js'
import { applyAgent } from './apply-agent.js'
import { applyDevices } from './apply-devices.js'
import { applyImport } from './apply-import.js'
import { applyPeople } from './apply-people.js'
import { applySkill, storeContents } from './apply-skill.js'
import type { Table } from './table.js'

/**
 * Folds one op into the view: the only way that the view ever changes. Pure over
 * (view, op), with no clock, no chance and no disk, so that every device comes to the
 * same view. What an op may not do, it doesn't do; nothing here throws for what an op
 * says. Every invariant of the namespace is kept here, whatever was checked before the
 * op was appended:
 *
 * - no two live skills share a slug, and none has a tool's: the later takes a suffix;
 * - no reference dangles: a save that names an unknown skill changes nothing, one that
 *   names a deleted skill brings it back, and a mentioned skill isn't deleted;
 * - no version is overwritten, and each is signed by a device that its author attested;
 * - no text of a note goes but for one that was made of it.
 *
 * @returns whether the op was sound; one that is forged or breaks a rule has changed
 *   nothing. An op that came too late for what others did meanwhile is sound.
 */
export async function applyOp(view: Table, op: Op): Promise<boolean> {
  switch (op.type) {
    case 'contents':
      return storeContents(view, op.contents)
    case 'import':
      return applyImport(view, op)
    case 'save':
    case 'rename':
    case 'delete':
    case 'restore':
    case 'enable':
    case 'advertise':
    case 'publish':
      return applySkill(view, op)
    case 'state':
    case 'found':
    case 'device':
    case 'writer':
    case 'device-name':
    case 'card':
      return applyDevices(view, op)
    case 'note':
    case 'note-delete':
    case 'instructions':
    case 'blurb':
    case 'profile':
    case 'profile-delete':
    case 'bind':
    case 'unbind':
      return applyAgent(view, op)
    case 'contact':
    case 'renew':
    case 'verify':
    case 'forget':
    case 'queue':
    case 'delivery':
    case 'arrive':
    case 'seen':
    case 'decline':
      break
  }
  return applyPeople(view, op)
}
