import { SelkieError } from '../../base/errors.js'
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
    if (port === undefined && globals.json)
      throw usage('--json goes with --http: else stdout carries MCP alone', 'mcp')
    const { LastingNode, Offer, newToken, readToken, serveHttp, speakStdio } =
      await import('../../mcp/index.js')
    const given = tokenFile === undefined ? undefined : await readToken(tokenFile)

    const passphrase = (): Promise<string> => askPassphrase(globals)
    const node = await LastingNode.open(() =>
      connect({ globals, need: 'any', passphrase, onProblem: problem })
    )
    try {
      const source = await createNamespaceSource(node)
      const offer = new Offer({ source, version: VERSION, onProblem: problem })
      const token = given ?? newToken()
      const options = { offer, onProblem: problem }
      const listening =
        port === undefined ? undefined : await serveHttp({ ...options, port, token }).catch(portRefused(port))
      const server = listening ?? speakStdio(options)
      try {
        // Neither a result nor a note: without it nobody gets in.
        if (listening && !given) console.error(`The token for this run: ${token}`)
        if (listening) print({ ready: true, url: listening.url })
        await Promise.race([server.ended, interrupted(), node.lost])
      } finally {
        await server.close()
        await offer.close()
      }
    } finally {
      await node.close()
    }
  },
  text: ({ url }: Ready) => `Your skills are at ${url}. Ctrl-C stops it.`
})

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) < 2 ** 16) return Number(given)
  throw usage(`“${given}” is no port`, 'mcp')
}

function portRefused(port: number): (cause: unknown) => never {
  return (cause) => {
    throw new SelkieError('E_MCP_PORT', { port, why: systemWords(cause) }, { cause })
  }
}
