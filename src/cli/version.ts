import { readFileSync } from 'node:fs'

const { version } = JSON.parse(
  // Built, this file lies in build/src/cli.
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
) as { version: string }

/** Which version of Selkie this is. */
export const VERSION = version
