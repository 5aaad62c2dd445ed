import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { diffLines } from 'diff'
import t from 'tap'
import type { Slug, Uid } from '../../src/base/ids.js'
import { linkFolders } from '../../src/folders/link.js'
import { readFolders, type IncomingSkill } from '../../src/folders/read.js'
import type { OutgoingSkill } from '../../src/folders/outgoing.js'
import { writeSkills } from '../../src/folders/write.js'
import { shown } from '../../src/namespace/linked.js'
import { Namespace } from '../../src/namespace/resolve.js'
import { tree } from './tree.js'

/** Published skills of others, kept beside the checkout. */
const corpus = process.env.SELKIE_CORPUS ?? resolve('../shared/corpus')
const skip = !existsSync(corpus) && 'no corpus here: name one with SELKIE_CORPUS'

t.test('a corpus of published skills comes in and goes out again', { skip }, async (t) => {
  const { skills, diagnostics } = await readFolders([corpus])
  t.equal(skills.length, 70)
  const uids = new Map(skills.map((skill, i) => [skill, i.toString(16).padStart(32, '0') as Uid]))
  const slugs = new Map<Uid, Slug>(skills.map((skill) => [uids.get(skill)!, skill.slug]))
  const linking = {
    uidOf: (skill: IncomingSkill) => uids.get(skill)!,
    refOf: (slug: Slug) => new Namespace().refOf(slug)
  }
  const linked = linkFolders(skills, linking)
  diagnostics.push(...linked.diagnostics)

  const to = await tree(t)
  const outgoing: OutgoingSkill[] = []
  for (const [i, skill] of skills.entries()) {
    const body = shown(linked.bodies[i]!, (uid) => slugs.get(uid)!)
    const files = skill.files.map(({ path, exec, bytes }) => ({ path, exec, bytes: async () => bytes }))
    outgoing.push({ ...skill, body, files })
    const { folder } = (await writeSkills(outgoing.slice(-1), to)).written[0]!
    for (const { path, exec } of skill.files) {
      t.same(await readFile(join(folder, path)), await readFile(join(skill.location, path)), path)
      t.equal(((await stat(join(folder, path))).mode & 0o100) !== 0, exec, path)
    }
    const before = await readFile(join(corpus, skill.path), 'utf8')
    const named = diagnostics.filter(({ path, code }) => path === skill.path && code !== 'D_NAME_FOLDER')
    const unnamed = changed(before, await readFile(join(folder, 'SKILL.md'), 'utf8')).filter(
      (line) => !named.some((diagnostic) => diagnostic.line === line)
    )
    t.same(unnamed, [], skill.path)
  }

  const { written } = await writeSkills(outgoing, to)
  t.ok(
    written.every(({ unchanged }) => unchanged),
    'once more: it is all there'
  )
  const again = await readFolders([to])
  t.same(again.diagnostics, [])
  const bySlug = new Map(again.skills.map((skill) => [skill.slug, skill]))
  for (const [i, { slug, title, summary, files }] of skills.entries()) {
    const body = shown(linked.bodies[i]!, (uid) => slugs.get(uid)!)
    t.match(bySlug.get(slug), { title, summary, body })
    t.same(bySlug.get(slug)!.files, files)
  }
})

/** The lines of `before`, from 1, that `after` hasn’t as they were. */
function changed(before: string, after: string): number[] {
  let line = 1
  const lines: number[] = []
  for (const { count, added, removed } of diffLines(before, after)) {
    if (removed) lines.push(...Array.from({ length: count }, (_, i) => line + i))
    if (!added) line += count
  }
  return lines
}
