import fc from 'fast-check'
import type {
  AgentStep,
  BundleStep,
  HostileStep,
  NetworkStep,
  PeopleStep,
  SkillStep,
  Step,
  Story
} from './story.js'

const MAX_DEVICES = 5

const on = fc.nat({ max: MAX_DEVICES - 1 })
const pick = fc.nat({ max: 11 })
const value = fc.boolean()
const says = { mentions: fc.array(pick, { maxLength: 2 }), tool: fc.boolean() }

function step<T extends Step['does']>(does: T, rest: object = {}): fc.Arbitrary<Extract<Step, { does: T }>> {
  return fc.record({ does: fc.constant(does), on, ...rest }) as unknown as fc.Arbitrary<
    Extract<Step, { does: T }>
  >
}

const skills: fc.Arbitrary<SkillStep> = fc.oneof(
  { weight: 5, arbitrary: step('create', { ...says, title: pick }) },
  { weight: 8, arbitrary: step('edit', { ...says, skill: pick, paragraph: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: step('retitle', { skill: pick, title: pick }) },
  { weight: 4, arbitrary: step('rename', { skill: pick, slug: pick }) },
  { weight: 4, arbitrary: step('delete', { skill: pick }) },
  { weight: 2, arbitrary: step('undelete', { skill: pick }) },
  { weight: 2, arbitrary: step('restore', { skill: pick, version: pick }) },
  { weight: 1, arbitrary: step('publish', { skill: pick, version: pick }) },
  { weight: 1, arbitrary: step('enable', { skill: pick, value }) },
  { weight: 1, arbitrary: step('advertise', { skill: pick, value }) },
  { weight: 3, arbitrary: step('merge', { skill: pick }) },
  { weight: 1, arbitrary: step('folders') }
)

const people: fc.Arbitrary<PeopleStep> = fc.oneof(
  { weight: 3, arbitrary: step('card', { person: pick, number: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: step('renew', { person: pick, number: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: step('verify', { person: pick, value }) },
  { weight: 2, arbitrary: step('forget', { person: pick }) }
)

const bundle = fc.nat({ max: 4 })
const decide = fc.constantFrom(
  'all' as const,
  'all' as const,
  'rename' as const,
  'drop' as const,
  'mine' as const
)
const bundles: fc.Arbitrary<BundleStep> = fc.oneof(
  { weight: 4, arbitrary: step('receive', { bundle }) },
  {
    weight: 5,
    arbitrary: step('accept', {
      bundle,
      decide,
      skill: pick
    })
  },
  { weight: 1, arbitrary: step('decline', { bundle }) }
)

const note = pick
const profile = pick
const agent: fc.Arbitrary<AgentStep> = fc.oneof(
  { weight: 4, arbitrary: step('note') },
  { weight: 8, arbitrary: step('renote', { note, own: value }) },
  { weight: 4, arbitrary: step('unnote', { note }) },
  { weight: 2, arbitrary: step('backnote', { note }) },
  { weight: 1, arbitrary: step('instruct', { own: value }) },
  { weight: 1, arbitrary: step('blurb', { blurb: fc.nat({ max: 1 }), value }) },
  { weight: 2, arbitrary: step('profile', { profile }) },
  { weight: 2, arbitrary: step('unprofile', { profile }) },
  {
    weight: 4,
    arbitrary: step('bind', {
      profile,
      skill: pick,
      gives: fc.oneof(fc.constantFrom('latest', 'published'), pick)
    })
  },
  { weight: 1, arbitrary: step('unbind', { profile, skill: pick }) }
)

const hostile: fc.Arbitrary<HostileStep> = step('hostile', {
  what: fc.constantFrom(
    'noise',
    'forged',
    'unknown',
    'foreign',
    'tool',
    'taken',
    'mentioned',
    'nowhere',
    'astray'
  ),
  skill: pick
})

const network: fc.Arbitrary<NetworkStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: step('sync', {
      to: on,
      quarters: fc.array(fc.constantFrom(4, 4, 4, 0, 2), { minLength: MAX_DEVICES, maxLength: MAX_DEVICES })
    })
  },
  { weight: 4, arbitrary: step('meet', { to: on }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('settle' as const, 'gather' as const) }) },
  { weight: 2, arbitrary: step('restart') }
)

/** What one device decides about a bundle, and another one meanwhile; and an edit that counts on it. */
const decidedApart: fc.Arbitrary<Step[]> = fc
  .record({ on, to: on, bundle, pick, decide, other: fc.option(decide, { nil: 'decline' as const }) })
  .map(({ on, to, bundle, pick, decide, other }): Step[] => {
    const decides = (on: number, what: typeof other): Step =>
      what === 'decline'
        ? { does: 'decline', on, bundle: 0 }
        : { does: 'accept', on, bundle: 0, decide: what, skill: pick }
    return [
      { does: 'receive', on, bundle },
      { does: 'gather' },
      decides(on, decide),
      decides(to, other),
      { does: 'edit', on, skill: pick, paragraph: 0, mentions: [bundle, pick + 1], tool: false }
    ]
  })

const one = (arbitrary: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> => arbitrary.map((step) => [step])
const kinds = [
  { weight: 36, arbitrary: one(skills) },
  { weight: 21, arbitrary: one(network) },
  { weight: 6, arbitrary: one(people) },
  { weight: 6, arbitrary: one(bundles) },
  { weight: 12, arbitrary: one(agent) },
  { weight: 3, arbitrary: one(hostile) },
  { weight: 1, arbitrary: decidedApart }
] as const

/** Random stories of about so many steps at most. */
export function story(maxLength: number): fc.Arbitrary<Story> {
  const devices = [...Array(MAX_DEVICES).keys()]
  const steps = fc.array(fc.oneof(...kinds), { minLength: 1, maxLength, size: 'max' })
  return fc.record({
    devices: fc.constantFrom(2, 2, 3, 3, 4, 5),
    order: fc.shuffledSubarray(devices, { minLength: MAX_DEVICES }),
    clocks: fc.array(fc.constantFrom(0, -3, 40, 7, -20), { minLength: MAX_DEVICES, maxLength: MAX_DEVICES }),
    steps: steps.map((each) => each.flat())
  })
}
