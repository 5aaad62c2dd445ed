import t from 'tap'
import { collisions, pathProblem } from '../../src/folders/paths.js'

t.test('harmless paths pass', async (t) => {
  for (const path of [
    'a',
    'scripts/run.sh',
    '__init__.py',
    '.env.example',
    '.gitignore',
    '.gitattributes',
    'a b.txt',
    'références/été.md',
    'refs/SKILL.md',
    'console.log',
    'comet.md',
    'com10',
    'a~b',
    '...a',
    '日本/語.md',
    'x'.repeat(240),
    'a/'.repeat(15) + 'a'
  ]) {
    t.equal(pathProblem(path), undefined, path)
  }
})

t.test('each hazard is refused', async (t) => {
  for (const path of [
    '',
    '/etc/passwd',
    '../../x',
    '..\\..\\x',
    'a/../b',
    './a',
    'a//b',
    'a/',
    'C:\\x',
    'C:/x',
    'c:x',
    '\\\\host\\share',
    '//host/share',
    'a\0b',
    'a\nb',
    'a\u007f',
    'a\u0085b',
    'a\u202eb',
    'a\u200bb',
    'a\u00adb',
    'a\u2066',
    'a\ufe0f',
    'a\u3164b',
    'e\u0301',
    '\ud800',
    'aux',
    'aux.c',
    'CON',
    'con.',
    'con .txt',
    'nul',
    'Prn.md',
    'com1',
    'COM¹',
    'lpt9.txt',
    'LPT³',
    'conin$',
    'CONOUT$.x',
    'a.',
    'a ',
    'a./b',
    'x/b /c',
    'a:b',
    'a<b',
    'a>b',
    'a"b',
    'a|b',
    'a?b',
    'a*b',
    'GIT~1',
    'git~1/config',
    '.git',
    '.GIT/config',
    'x/.git/hooks/post-checkout',
    '.g\u0131t\u200c',
    '.env',
    'x/.ENV',
    '.npmrc',
    '.claude/settings.json',
    '.codex/config.toml',
    '.agents/x',
    '.cursor/rules',
    '.gemini/x',
    '.goose/x',
    '.pi/x',
    '.vscode/tasks.json',
    '.idea/x',
    'x'.repeat(241),
    'a/'.repeat(16) + 'a',
    'SKILL.md',
    'skill.MD',
    '\u017fkill.md'
  ]) {
    t.type(pathProblem(path), 'string', JSON.stringify(path))
  }
})

t.test('paths that are one on another system collide', async (t) => {
  t.same(collisions(['a', 'b/c', 'b/d', 'B.md']), [])
  for (const [one, other] of [
    ['Readme.md', 'README.MD'],
    ['straße', 'STRASSE'],
    ['\u212a', 'k'],
    ['ſ', 'S'],
    ['a', 'A/b'],
    ['A/b', 'a'],
    ['Docs/a', 'docs/b'],
    ['a', 'a']
  ] as const) {
    t.same(collisions([one, other]), [{ path: other, with: one }], `${one} ${other}`)
  }
})
