/**
 * Selkie as a library: a node of a home in this process. What it does is {@link NodeApi};
 * `NodeOptions.hooks` looks at every call of a tool.
 */
export type * from './api.js'
export { SelkieError, isSelkieError, type ErrorCode } from './base/errors.js'
export { initHome, openNode, type NodeOptions } from './node.js'
export type { HookedCall, ToolHooks, Verdict } from './agent/hooks.js'
