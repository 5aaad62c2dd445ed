import { isSelkieError, SelkieError } from '../../base/errors.js'
import { systemWords } from '../../base/system.js'
import { createNamespaceSource } from '../../skills/namespace.js'
import { usage } from '../args.js'
import { askPassphrase } from '../ask.js'
import { connect } from '../connect.js'
import { interrupted } from '../interrupted.js'
import { defineVerb } from '../verb.js'
import { VERSION } from '../version.js'

interface Ready {
  ready: true
  url: string
}

export const verb = defineVerb({
  about: 'Give your skills to another agent, by MCP: on stdin and stdout, or over HTTP on this machine',
  positionals: [],
  flags: {
    http: { type: 'string', value: 'PORT', about: 'Listen on 127.0.0.1; 0 takes any port that is free' },
    'token-file': {
      type: 'string',
      value: 'FILE',
      about: 'The token that agents must bring over HTTP, in a file that only you can read'
    }
  },
  run: async ({ globals, flags, problem }, print): Promise<undefined> => {
    const { http, 'token-file': tokenFile } = flags
    const port = http === undefined ? undefined : portOf(http)
    if (port === undefined && tokenFile !== undefined) throw usage('--token-file goes with --http', 'mcp')
    if (port === undefined && globals.json) throw new SelkieError('E_MCP_STDOUT')
    const { LastingNode, Offer, newToken, readToken, serveHttp, speakStdio } =
      await import('../../mcp/index.js')
    const given = tokenFile === undefined ? undefined : await readToken(tokenFile)

    const passphrase = (): Promise<string> => askPassphrase(globals)
    const node = await LastingNode.open(() =>
      connect({ globals, need: 'any', passphrase, onProblem: problem })
    )
    // An agent’s own mistakes are told to the agent.
    const onProblem = (error: unknown): void => {
      if (isSelkieError(error)) problem(error)
    }
    const offer = new Offer({
      source: await createNamespaceSource(node),
      version: VERSION,
      onProblem: problem
    })
    const newServer = () => offer.converse()
    try {
      if (port === undefined) {
        const agent = speakStdio(newServer, onProblem)
        await Promise.race([agent.ended, interrupted(), node.lost]).finally(() => agent.close())
        return
      }
      const token = given ?? newToken()
      const server = await serveHttp({ port, token, offer, onProblem }).catch((cause: unknown) => {
        throw new SelkieError('E_MCP_PORT', { port, why: systemWords(cause) }, { cause })
      })
      // Neither a result nor a note: without it nobody gets in.
      if (!given) console.error(`The token for this run: ${token}`)
      print({ ready: true, url: server.url })
      await Promise.race([interrupted(), node.lost]).finally(() => server.close())
    } finally {
      await offer.close()
      await node.close()
    }
  },
  text: ({ url }: Ready) => `Your skills are at ${url}. Ctrl-C stops it.`
})

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) < 2 ** 16) return Number(given)
  throw usage(`“${given}” is no port`, 'mcp')
}
