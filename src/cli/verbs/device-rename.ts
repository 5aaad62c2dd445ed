import type { OwnDevice } from '../../api.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Give one of your devices another name, which your contacts see too',
  positionals: ['DEVICE', 'NAME'],
  flags: {},
  run: ({ args: [device, name], use }): Promise<OwnDevice> => use((node) => node.renameDevice(device, name)),
  text: renderRenamed
})

export function renderRenamed({ name, current }: OwnDevice): string {
  return `${current ? 'This device' : 'That device'} is called ${oneLine(name)} now.`
}
