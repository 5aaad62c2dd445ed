import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { calledFolders } from '../../src/folders/called.js'
import { readFolders } from '../../src/folders/read.js'
import { skillText, tree } from './tree.js'

/** What an import of these folders says: the folders of its skills, and where its remarks are. */
async function said(...paths: string[]): Promise<{ folders: string[]; remarks: string[] }> {
  const { skills, diagnostics } = await readFolders(paths, calledFolders(paths))
  return {
    folders: skills.map(({ folder, path }) => `${folder} ${path.slice(folder.length)}`),
    remarks: diagnostics.map(
      ({ code, path, line }) => `${path}${line === undefined ? '' : `:${line}`} ${code}`
    )
  }
}

t.test('`import a b` said “SKILL.md:1” of both, and “.”', async (t) => {
  const root = await tree(t, {
    'a/SKILL.md': 'Do it.',
    'b/SKILL.md': skillText('b', 'See @nothing.'),
    'b/.env': '',
    'more/c/SKILL.md': skillText('c'),
    'more/d/SKILL.md': 'Do it too.'
  })
  await mkdir(join(root, 'none'))
  await symlink('a', join(root, 'linked'))
  const at = (...names: string[]) => names.map((name) => join(root, name))

  t.same(await said(...at('a', 'b')), {
    folders: ['a /SKILL.md', 'b /SKILL.md'],
    remarks: ['a/SKILL.md:1 D_FRONTMATTER_MISSING', 'b/.env D_PATH']
  })
  t.same(await said(...at('a')), {
    folders: ['a /SKILL.md'],
    remarks: ['a/SKILL.md:1 D_FRONTMATTER_MISSING']
  })
  t.same((await said(...at('linked'))).folders, ['linked /SKILL.md'], 'as it was given')
  t.same(
    await said(...at('more')),
    { folders: ['c /SKILL.md', 'd /SKILL.md'], remarks: ['d/SKILL.md:1 D_FRONTMATTER_MISSING'] },
    'what is in the one folder that was given is said from there'
  )
  t.same(await said(...at('none')), { folders: [], remarks: ['none D_NO_SKILL'] })
  t.same(await said(...at('none', 'more', 'a')), {
    folders: ['more/c /SKILL.md', 'more/d /SKILL.md', 'a /SKILL.md'],
    remarks: [
      'none D_NO_SKILL',
      'more/d/SKILL.md:1 D_FRONTMATTER_MISSING',
      'a/SKILL.md:1 D_FRONTMATTER_MISSING'
    ]
  })
})

t.test('two folders of one name are told apart', async (t) => {
  const root = await tree(t, {
    'mine/skills/plan/SKILL.md': skillText('plan'),
    'team/skills/plan/SKILL.md': skillText('plan')
  })
  const plans = ['mine', 'team'].map((whose) => join(root, whose, 'skills/plan'))
  t.same((await said(...plans)).folders, ['mine/skills/plan /SKILL.md', 'team/skills/plan /SKILL.md'])
  t.same((await said(join(root, 'mine/skills'), join(root, 'team/skills'))).folders, [
    'mine/skills/plan /SKILL.md',
    'team/skills/plan /SKILL.md'
  ])
})

t.test('whatever folders are given, what is said names one file', (t) => {
  const part = fc.constantFrom('x', 'y', 'z')
  const path = fc.array(part, { maxLength: 4 }).map((parts) => resolve('/', ...parts))
  fc.assert(
    fc.property(
      fc.array(path, { minLength: 1, maxLength: 5 }),
      fc.array(part, { maxLength: 3 }),
      (paths, below) => {
        const called = calledFolders(paths)
        const files = new Map<string, string>()
        for (const [i, root] of paths.entries()) {
          for (let depth = 0; depth <= below.length; depth++) {
            const rest = below.slice(0, depth)
            const said = [called[i]!, ...rest].join('/')
            const file = resolve(root, ...rest)
            if ((files.get(said) ?? file) !== file) return false
            files.set(said, file)
          }
          if (called[i]!.split('/').some((each) => each === '.' || each === '..')) return false
        }
        return true
      }
    ),
    { numRuns: 2000 }
  )
  t.same(calledFolders([resolve('/a/b')]), ['b'])
  t.same(calledFolders([resolve('/a/b'), resolve('/a/b')]), ['b', 'b'], 'given twice')
  t.end()
})
