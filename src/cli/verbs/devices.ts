import type { OwnDevice } from '../../api.js'
import { shellWord } from '../contact.js'
import { shortKey } from '../device.js'
import { paint } from '../paint.js'
import { aligned, counted, oneLine, sized, timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List your devices',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.devices()),
  text: renderDevices
})

export function renderDevices(devices: OwnDevice[]): string {
  const rows = devices.map((device) => [
    paint('bold', oneLine(device.name)),
    standing(device),
    `added ${timed(device.added)}`,
    paint('dim', shortKey(device))
  ])
  return aligned(rows)
    .split('\n')
    .flatMap((row, i) => [row, ...remarks(devices[i]!).map((remark) => paint('yellow', `  ${remark}`))])
    .join('\n')
}

function standing({ current, online, seen }: OwnDevice): string {
  if (current) return 'this one'
  if (online) return paint('green', 'online')
  return seen === null ? 'not seen yet' : `seen ${timed(seen)}`
}

/** What is not as it should be. */
function remarks({ name, refused, missing, current }: OwnDevice): string[] {
  const said: string[] = []
  if (missing) {
    const { files, bytes, reason } = missing
    said.push(`${counted(files, 'file')} not here yet, ${sized(bytes)}: ${WHY_MISSING[reason]}`)
  }
  if (refused > 0) {
    const entries = refused === 1 ? '1 entry of its log was' : `${refused} entries of its log were`
    const remove = current ? '' : ` If it isn’t yours alone: selkie device remove ${shellWord(oneLine(name))}`
    said.push(`${entries} not valid, and changed nothing.${remove}`)
  }
  return said
}

const WHY_MISSING: Readonly<Record<'waiting' | 'space', string>> = {
  waiting: 'they come when a device that has them is online.',
  space: 'this disk has no room for them. They come when it has.'
}
