/** What a tool answers: plain JSON, which the model is given as it is. */
export type ToolAnswer = Readonly<Record<string, unknown>>

/** Arguments that fit the tool's schema. */
export type ToolArgs = Readonly<Record<string, unknown>>

/**
 * Runs a tool once. It looks at the grants itself, at the moment when it runs, and at the
 * disk as it is then.
 *
 * @throws SelkieError where it is refused, as E_NOT_GRANTED: the model is told its sentence
 */
export type ToolRun = (args: ToolArgs, signal: AbortSignal) => Promise<ToolAnswer>
