/** A flag: what `parseArgs` needs to know of it, and what the usage says. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  /** It may be given again and again. */
  readonly multiple?: true
  readonly required?: true
  readonly short?: string
  /** What stands for its value in the usage; a flag without one is on or off. */
  readonly value?: string
  readonly about: string
}

export type Flags = Readonly<Record<string, Flag>>

type FlagValue<F extends Flag> = F extends { type: 'boolean' }
  ? boolean | undefined
  : F extends { multiple: true }
    ? string[] | undefined
    : F extends { required: true }
      ? string
      : string | undefined

/** The values of a verb’s flags, as they were given. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> }
