import type { BundleId, IdentityKey, Slug, Uid, VersionHash } from '../../src/base/ids.js'
import type { Blurb } from '../../src/agent-api.js'
import type { Binding } from '../../src/store/rows.js'
import { holds } from './causal-log.js'

/** What a person has been told that they did. */
export type Deed =
  /** A text with its mentions, as it was typed. */
  | {
      readonly kind: 'saved'
      readonly uid: Uid
      readonly version: VersionHash
      readonly text?: string
      readonly meant?: ReadonlyMap<Slug, Uid>
    }
  /** By the slug that they asked for, and the one that they were told it got. */
  | { readonly kind: 'named'; readonly uid: Uid; readonly slug: Slug; readonly got: Slug }
  | { readonly kind: 'deleted'; readonly uid: Uid }
  | { readonly kind: 'undeleted'; readonly uid: Uid }
  | { readonly kind: 'enabled'; readonly uid: Uid; readonly value: boolean }
  | { readonly kind: 'advertised'; readonly uid: Uid; readonly value: boolean }
  | { readonly kind: 'published'; readonly uid: Uid; readonly version: VersionHash }
  /** By a card of this number; a `renewed` one came by itself. */
  | { readonly kind: 'added' | 'renewed'; readonly identity: IdentityKey; readonly number: number }
  | { readonly kind: 'forgot'; readonly identity: IdentityKey }
  | { readonly kind: 'verified'; readonly identity: IdentityKey; readonly value: boolean }
  | { readonly kind: 'received'; readonly id: BundleId }
  /** With the versions by others that were in it, and those that are shown from then on. */
  | {
      readonly kind: 'accepted'
      readonly id: BundleId
      readonly brought: readonly VersionHash[]
      readonly shown: ReadonlyMap<Uid, VersionHash>
    }
  | { readonly kind: 'declined'; readonly id: BundleId }
  /** A text of a note, and what it was made of; a note that comes back is given its own again. */
  | {
      readonly kind: 'noted'
      readonly note: string
      readonly revision: string
      readonly text: string
      readonly over: string | null
    }
  | { readonly kind: 'unnoted'; readonly revision: string }
  | { readonly kind: 'instructed'; readonly text: string | null }
  | { readonly kind: 'switched'; readonly blurb: Blurb; readonly value: boolean }
  | { readonly kind: 'profiled' | 'unprofiled'; readonly profile: string }
  | { readonly kind: 'bound'; readonly profile: string; readonly uid: Uid; readonly to: Binding['to'] }
  | { readonly kind: 'unbound'; readonly profile: string; readonly uid: Uid }

/** A deed, and where it stands among the others. */
export type Fact = Deed & {
  /** The number of its step. */
  readonly step: number
  readonly on: number
  /** How many entries of each log its device saw before it, and after. */
  readonly before: readonly number[]
  readonly after: readonly number[]
}

export type FactOf<K extends Deed['kind']> = Fact & { readonly kind: K }

/** The facts of a kind. */
export function factsOf<K extends Deed['kind']>(facts: readonly Fact[], kind: K): FactOf<K>[] {
  return facts.filter((fact): fact is FactOf<K> => fact.kind === kind)
}

/** Whether who did the second knew of the first. */
export function wasKnown(first: Fact, second: Fact): boolean {
  return (
    first.step < second.step &&
    holds(
      second.before,
      first.after.map((length, n) => (n === first.on ? length : 0))
    )
  )
}

/** Those that nobody knew of who did another of them. */
export function latest<F extends Fact>(facts: readonly F[]): F[] {
  return facts.filter((fact) => !facts.some((other) => wasKnown(fact, other)))
}
