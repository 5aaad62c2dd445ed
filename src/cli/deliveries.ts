import type { Delivery } from '../api.js'
import { paint } from './paint.js'
import { aligned, oneLine, sized, timed } from './table.js'

const COLOURS: Partial<Record<Delivery['state'], 'green' | 'yellow' | 'red'>> = {
  imported: 'green',
  waiting: 'yellow',
  declined: 'red',
  damaged: 'red'
}

/** Bundles on their way, a line each, and under one what its sender wrote and what holds it up. */
export function renderDeliveries(deliveries: readonly Delivery[], way: 'to' | 'from'): string {
  const rows = deliveries.map(({ id, state, time, bytes, root, contact }) => [
    id,
    coloured(state),
    timed(time),
    sized(bytes),
    `@${root} ${way} ${oneLine(contact)}`
  ])
  return aligned(rows)
    .split('\n')
    .flatMap((row, i) => [row, ...below(deliveries[i]!)])
    .join('\n')
}

function coloured(state: Delivery['state']): string {
  const colour = COLOURS[state]
  return colour ? paint(colour, state) : state
}

function below({ note, problem }: Delivery): string[] {
  return [
    ...(note ? [`  “${oneLine(note)}”`] : []),
    ...(problem
      ? [paint('yellow', `  ${oneLine(problem.message)} ${oneLine(problem.hint)} (${problem.code})`)]
      : [])
  ]
}
