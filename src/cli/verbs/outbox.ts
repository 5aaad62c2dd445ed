import { renderDeliveries } from '../deliveries.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List what you sent, and how far it has come',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.outbox()),
  text: (deliveries) => (deliveries.length > 0 ? renderDeliveries(deliveries, 'to') : 'Nothing was sent yet.')
})
