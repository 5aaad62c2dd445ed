/**
 * Which way imports point: each room may import itself and the rooms on lines above its
 * own. Only types are taken from api.ts, and anyone may take them.
 */
const LINES = [
  ['base'],
  ['keys'],
  ['namespace'],
  ['folders'],
  ['bundle'],
  ['store'],
  ['editing', 'people'],
  ['wire'],
  ['devices', 'sending'],
  ['receiving'],
  ['skills'],
  ['agent']
]
/** The facade's other side speaks to it by api.ts alone. */
const ATTACH = ['base']
/** A shell for other agents: the facade by its types, and the skills as a library. */
const MCP = ['base', 'skills']

const only = (room, allowed) => ({
  name: `${room}-imports-upwards`,
  comment: `${room}/ may import ${[room, ...allowed].map((name) => `${name}/`).join(', ')} and the facade’s types`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/((agent-)?api\\.ts$|(${[room, ...allowed].join('|')})/)` }
})

const rooms = LINES.flatMap((line, i) => line.map((room) => only(room, LINES.slice(0, i).flat())))

/** A package that one place alone may import. */
const confined = (name, packages, place) => ({
  name,
  severity: 'error',
  from: { path: '^(src|bench)/', pathNot: [place, '^src/base/untyped\\.d\\.ts$'] },
  to: { path: `^node_modules/(${packages})/` }
})

module.exports = {
  forbidden: [
    ...rooms,
    only('attach', ATTACH),
    only('mcp', MCP),
    {
      name: 'every-room-has-a-line',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: `^src/([^/]+$|(${[...LINES.flat(), 'attach', 'cli', 'mcp'].join('|')})/)`
      },
      to: {}
    },
    {
      name: 'api-imports-nothing',
      severity: 'error',
      from: { path: '^src/(agent-)?api\\.ts$' },
      to: { path: '.', pathNot: '^src/agent-api\\.ts$' }
    },
    {
      name: 'api-types-only',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(agent-)?api\\.ts$', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'node-below-its-shells',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: '^src/(attach|cli|mcp)/' }
    },
    {
      name: 'source-imports-no-test',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|demo)/' }
    },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' },
      to: {}
    },
    {
      name: 'no-unlisted-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] }
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    confined('libsodium-in-one-file', 'libsodium-wrappers', '^src/keys/sodium\\.ts$'),
    confined('swarm-in-one-room', 'hyperswarm|hyperdht', '^src/wire/')
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types']
    }
  }
}
