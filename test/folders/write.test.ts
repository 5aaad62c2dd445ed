import { execFileSync } from 'node:child_process'
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile
} from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Diagnostic } from '../../src/api.js'
import type { Slug } from '../../src/base/ids.js'
import { pathProblem } from '../../src/folders/paths.js'
import { readFolders, type IncomingSkill } from '../../src/folders/read.js'
import type { OutgoingFile, OutgoingSkill } from '../../src/folders/outgoing.js'
import { writeSkills, type WrittenSkill } from '../../src/folders/write.js'
import { skillText, tree } from './tree.js'

const file = (path: string, text = '', exec = false): OutgoingFile => ({
  path,
  exec,
  bytes: async () => Buffer.from(text)
})

const text = (maxLength: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength })
    .map((s) => s.trim())
    .filter((s) => s !== '')

const plan: OutgoingSkill = {
  slug: 'plan' as Slug,
  title: 'Plan',
  summary: 'How to plan.',
  header: null,
  body: '# Steps\n',
  files: [file('scripts/run.sh', 'x', true), file('.env.example', 'y')]
}

const outgoing = (skill: IncomingSkill): OutgoingSkill => ({
  ...skill,
  files: skill.files.map(({ path, bytes, exec }) => ({ path, exec, bytes: async () => bytes }))
})

/** Writes one skill. */
async function writeSkill(
  skill: OutgoingSkill,
  to: string
): Promise<WrittenSkill & { diagnostics: Diagnostic[] }> {
  const { written, diagnostics } = await writeSkills([skill], to)
  return { ...written[0]!, diagnostics }
}

t.test('0755 does not become 0644', async (t) => {
  const to = await tree(t)
  const { folder, files, diagnostics } = await writeSkill(plan, to)
  t.same([folder, files, diagnostics], [join(to, 'plan'), 2, []])
  t.equal(await readFile(join(folder, 'SKILL.md'), 'utf8'), skillText('plan'))
  t.equal((await stat(join(folder, 'scripts/run.sh'))).mode & 0o777, 0o755)
  t.equal((await stat(join(folder, '.env.example'))).mode & 0o111, 0)
  t.same(await readdir(to), ['plan'])
})

t.test('an export does not delete local edits and extra files', async (t) => {
  const to = await tree(t, { 'plan/SKILL.md': 'mine', 'plan/notes.md': 'mine' })
  await t.rejects(writeSkill(plan, to), { code: 'E_EXPORT_EXISTS' })
  t.equal(await readFile(join(to, 'plan/SKILL.md'), 'utf8'), 'mine')
  t.same(await readdir(to), ['plan'])
})

t.test('an empty folder is taken, a link in its place is not followed', async (t) => {
  const to = await tree(t, { 'elsewhere/x': '' })
  await mkdir(join(to, 'plan'))
  await writeSkill(plan, to)
  await symlink('elsewhere', join(to, 'cook'))
  await t.rejects(writeSkill({ ...plan, slug: 'cook' as Slug }, to), { code: 'E_EXPORT_EXISTS' })
  t.same(await readdir(join(to, 'elsewhere')), ['x'])
})

t.test('zip entry ../../x: no path leads out of the folder', async (t) => {
  const to = await tree(t)
  const files = [file('../../x'), file('/x'), file('..\\..\\x'), file('SKILL.md'), file('a'), file('A')]
  const { diagnostics } = await writeSkill({ ...plan, files }, join(to, 'deep/er'))
  t.same(
    diagnostics.map(({ code }) => code),
    [...Array<string>(4).fill('D_PATH'), 'D_PATH_COLLISION']
  )
  t.same(await readdir(join(to, 'deep/er/plan')), ['SKILL.md', 'a'])
  t.same(await readdir(to), ['deep'])
})

t.test('what fails half-way leaves nothing behind', async (t) => {
  const to = await tree(t)
  const files = [
    file('a'),
    { path: 'b', exec: false, bytes: () => Promise.reject(new Error('no such blob')) }
  ]
  await t.rejects(writeSkill({ ...plan, files }, to), { code: 'E_EXPORT' })
  t.same(await readdir(to), [])
})

const cook: OutgoingSkill = {
  ...plan,
  slug: 'cook' as Slug,
  title: 'Cook',
  files: [file('a'.repeat(9), 'x')]
}

t.test('of several, the first was written where the second was refused', async (t) => {
  const to = await tree(t, { 'cook/SKILL.md': 'mine', 'knit/SKILL.md': 'mine' })
  const knit = { ...plan, slug: 'knit' as Slug }
  const refused = writeSkills([plan, cook, knit], to)
  await t.rejects(refused, { code: 'E_EXPORT_EXISTS', message: `${join(to, 'cook')}, ${join(to, 'knit')}` })
  t.same((await readdir(to)).sort(), ['cook', 'knit'])
  for (const slug of ['cook', 'knit']) await rename(join(to, slug), join(to, `my-${slug}`))
  t.same(
    (await writeSkills([plan, cook, knit], to)).written.map(({ unchanged }) => unchanged),
    [false, false, false]
  )
})

t.test('what is there just so was refused, as a shared skill of two closures is', async (t) => {
  const to = await tree(t)
  await writeSkills([plan], to)
  const before = await stat(join(to, 'plan'))
  const { written } = await writeSkills([cook, plan], to)
  t.same(written, [
    { folder: join(to, 'cook'), files: 1, unchanged: false },
    { folder: join(to, 'plan'), files: 2, unchanged: true }
  ])
  const after = await stat(join(to, 'plan'))
  t.same([after.ino, after.mtimeMs], [before.ino, before.mtimeMs], 'it was not touched')
})

t.test('what is there almost so is never taken for it, nor touched', async (t) => {
  const changes: Record<string, (folder: string) => Promise<unknown>> = {
    'another text': (folder) => appendFile(join(folder, 'SKILL.md'), '\n'),
    'other bytes, as many': (folder) => writeFile(join(folder, '.env.example'), 'z'),
    'an exec bit more': (folder) => chmod(join(folder, 'SKILL.md'), 0o755),
    'an exec bit less': (folder) => chmod(join(folder, 'scripts/run.sh'), 0o644),
    'a file more': (folder) => writeFile(join(folder, 'scripts/more'), ''),
    'a file less': (folder) => rm(join(folder, '.env.example')),
    'an empty folder more': (folder) => mkdir(join(folder, 'scripts/more')),
    'a link to the same': async (folder) => {
      await rename(join(folder, '.env.example'), join(folder, '../y'))
      await symlink('../y', join(folder, '.env.example'))
    },
    'a link in its place': async (folder) => {
      await rename(folder, `${folder}-there`)
      await symlink(`${folder}-there`, folder)
    }
  }
  for (const [what, change] of Object.entries(changes)) {
    const to = await tree(t)
    const { folder } = await writeSkill(plan, to)
    t.match(await writeSkill(plan, to), { unchanged: true }, what)
    await change(folder)
    const before = execFileSync('ls', ['-lARi', to]).toString()
    await t.rejects(writeSkills([cook, plan], to), { code: 'E_EXPORT_EXISTS' }, what)
    t.equal(execFileSync('ls', ['-lARi', to]).toString(), before, what)
  }
})

t.test('what came there meanwhile stays, and all else is as it was', async (t) => {
  const to = await tree(t)
  await mkdir(join(to, 'plan'))
  const late = {
    path: 'late',
    exec: false,
    bytes: async () => {
      await mkdir(join(to, 'cook', 'theirs'), { recursive: true })
      return Buffer.from('x')
    }
  }
  const refused = writeSkills([plan, { ...cook, files: [late] }], to)
  await t.rejects(refused, { code: 'E_EXPORT_EXISTS', message: join(to, 'cook') })
  t.same((await readdir(to)).sort(), ['cook', 'plan'])
  t.same(await readdir(join(to, 'plan')), [], 'it is empty again')
  t.same(await readdir(join(to, 'cook')), ['theirs'])
})

t.test(
  'a full disk left the first of two behind, and said that it hadn’t',
  { skip: cannotMount() },
  async (t) => {
    const to = await tree(t)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'selkie-test', to])
    t.teardown(() => execFileSync('umount', ['--lazy', to]))
    const large = { ...cook, files: [{ ...file('large'), bytes: async () => Buffer.alloc(512 * 1024) }] }
    const refusal = { code: 'E_EXPORT', message: /no space/, hint: /Nothing was left behind/ }
    await t.rejects(writeSkills([plan, large], join(to, 'a/b')), refusal)
    t.same(await readdir(to), [], 'nor the folders above')
    await mkdir(join(to, 'here'))
    await t.rejects(writeSkills([plan, large], join(to, 'here')), refusal)
    t.same(await readdir(to), ['here'])
    t.same(await readdir(join(to, 'here')), [])
  }
)

t.test(
  'an export to where no folder can be made never ended',
  { skip: process.platform !== 'linux' },
  async (t) => {
    await t.rejects(writeSkills([plan], '/proc/nope/deeper'), {
      code: 'E_EXPORT',
      hint: /Nothing was left behind/
    })
    const to = await tree(t, { file: '' })
    await t.rejects(writeSkills([plan], join(to, 'file')), {
      code: 'E_EXPORT',
      message: /file already exists/
    })
    await symlink('nowhere', join(to, 'link'))
    await t.rejects(writeSkills([plan], join(to, 'link')), { code: 'E_EXPORT' })
    t.same((await readdir(to)).sort(), ['file', 'link'])
  }
)

t.test('the metadata gets a title that the name doesn’t give, and a long summary', async (t) => {
  const to = await tree(t)
  const skill = { ...plan, title: 'Planen & mehr', summary: 'word '.repeat(300).trim() }
  await writeSkill(skill, to)
  const { skills, diagnostics } = await readFolders([to])
  t.same(diagnostics, [])
  t.match(skills[0], { title: skill.title, summary: skill.summary, header: null })
})

t.test('what was re-slugged gets its new name and keeps its title', async (t) => {
  const from = await tree(t, { 'plan/SKILL.md': skillText('plan', 'x\n', 'license: MIT\n') })
  const to = await tree(t)
  const { skills } = await readFolders([from])
  const { diagnostics } = await writeSkill({ ...outgoing(skills[0]!), slug: 'plan-2' as Slug }, to)
  t.same(
    diagnostics.map(({ code, path }) => [code, path]),
    [['D_NAME', 'plan-2/SKILL.md']]
  )
  t.equal(
    await readFile(join(to, 'plan-2/SKILL.md'), 'utf8'),
    '---\nname: plan-2\ndescription: How to plan.\nlicense: MIT\nmetadata:\n  selkie-title: Plan\n---\nx\n'
  )
})

t.test('an import exported again is byte-equal', async (t) => {
  const from = await tree(t, {
    'plan/SKILL.md': skillText('plan', '\n\n# A\n\n', '# note\nmetadata:\n    a:  "b"\n'),
    'plan/run': '#!/bin/sh\n'
  })
  await writeFile(join(from, 'plan/blob'), Uint8Array.of(0, 13, 10, 255))
  await chmod(join(from, 'plan/run'), 0o755)
  const to = await tree(t)
  const { skills, diagnostics } = await readFolders([from])
  t.same(diagnostics, [])
  await writeSkill(outgoing(skills[0]!), to)
  for (const name of ['SKILL.md', 'run', 'blob']) {
    t.same(await readFile(join(to, 'plan', name)), await readFile(join(from, 'plan', name)), name)
  }
  t.equal((await stat(join(to, 'plan/run'))).mode & 0o111, 0o111)
})

t.test('any skill that is written reads back equal', async (t) => {
  const root = await tree(t)
  const slug = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,4}){0,2}$/)
  const path = fc
    .stringMatching(/^[a-z._]{1,6}(\/[a-z]{1,4})?$/)
    .filter((path) => pathProblem(path) === undefined)
  const files = fc.uniqueArray(
    fc.record({ path, bytes: fc.uint8Array({ maxLength: 9 }), exec: fc.boolean() }),
    {
      selector: ({ path }) => path.split('/')[0],
      maxLength: 4
    }
  )
  const body = fc.string({ unit: 'binary', maxLength: 60 }).map((s) => s.replace(/\r/g, '\n'))
  let run = 0
  await fc.assert(
    fc.asyncProperty(slug, text(60), text(1500), body, files, async (slug, title, summary, body, files) => {
      const to = join(root, String(run++))
      const sorted = files.sort((a, b) => (a.path < b.path ? -1 : 1))
      const skill = { slug: slug as Slug, title, summary, header: null, body }
      const whole = { ...skill, files: sorted.map((file) => ({ ...file, bytes: async () => file.bytes })) }
      await writeSkill(whole, to)
      const { skills, diagnostics } = await readFolders([to])
      t.same(
        diagnostics.filter(({ code }) => !code.startsWith('D_INVISIBLE')),
        []
      )
      t.match(skills[0], skill)
      const got = skills[0]!.files.map(({ path, bytes, exec }) => ({
        path,
        bytes: new Uint8Array(bytes),
        exec
      }))
      t.same(got, sorted)
      t.ok((await writeSkill(whole, to)).unchanged, 'written once more')
    }),
    { numRuns: 100 }
  )
})

function cannotMount(): string | false {
  const can = process.platform === 'linux' && process.getuid?.() === 0
  return can ? false : 'only root can make a disk that is small'
}
