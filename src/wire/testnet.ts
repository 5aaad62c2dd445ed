import createTestnet from 'hyperdht/testnet.js'

/**
 * A DHT of this machine alone, for trying things out: ten nodes on 127.0.0.1. With
 * fewer than four, two peers that look for each other may connect on one side only.
 */
export async function startTestnet(port?: number): Promise<{ address: string; close(): Promise<void> }> {
  const testnet = await createTestnet(10, { host: '127.0.0.1', ...(port !== undefined && { port }) })
  const [first] = testnet.bootstrap
  return { address: `${first!.host}:${first!.port}`, close: () => testnet.destroy() }
}
