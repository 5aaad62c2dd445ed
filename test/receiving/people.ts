import { join } from 'node:path'
import type { Test } from 'tap'
import type { NodeApi, Review, ReviewedSkill } from '../../src/api.js'
import { home, type Home } from '../editing/home.js'

/** Homes of people who all have each other's cards. */
export async function people<const Names extends readonly string[]>(
  t: Test,
  ...names: Names
): Promise<{ readonly [I in keyof Names]: Home }> {
  const homes: Home[] = []
  for (const name of names) homes.push(await home(t, name))
  for (const one of homes) {
    for (const other of homes) {
      if (one !== other) await one.node.addCard((await other.node.card()).card)
    }
  }
  return homes as unknown as { readonly [I in keyof Names]: Home }
}

let carried = 0

/** Seals a skill to a contact and puts the file into their inbox by hand; gives its id and where it lies. */
export async function deliver(
  from: Home,
  slug: string,
  contact: string,
  to: Home,
  note?: string
): Promise<{ id: string; file: string }> {
  const out = join(from.folder, `sealed-${++carried}.selkie`)
  const { id, file } = await from.node.seal(slug, contact, out, note === undefined ? {} : { note })
  await to.node.receive(file)
  return { id, file }
}

/** Delivers, reviews and accepts all of it. */
export async function pass(from: Home, slug: string, contact: string, to: Home): Promise<Review> {
  const { id } = await deliver(from, slug, contact, to)
  const review = await to.node.review(id)
  await to.node.accept(id, {})
  return review
}

/** What a review says of each skill: incoming, what becomes of it, and the slug here. */
export function standings({ skills }: Review): string {
  return skills.map(({ incoming, status, slug }) => `${incoming} ${status} @${slug}`).join(', ')
}

/** One skill of a review. */
export function reviewed({ skills }: Review, incoming: string): ReviewedSkill {
  const found = skills.find((skill) => skill.incoming === incoming)
  if (!found) throw new Error(`no ${incoming} in the review`)
  return found
}

/** A new skill on someone's node. */
export function make(node: NodeApi, title: string, body: string): Promise<unknown> {
  return node.create({ title, summary: `How to: ${title}.`, body })
}
