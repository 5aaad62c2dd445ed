import { renderDeliveries } from '../deliveries.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List what was sent to you, and what waits for your review',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.inbox()),
  text: (deliveries) =>
    deliveries.length > 0 ? renderDeliveries(deliveries, 'from') : 'Nothing has come yet.'
})
