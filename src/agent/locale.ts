/** When and where the person is, as far as dates need it. */
export interface Locale {
  /** IANA name, as `Europe/Berlin`. */
  readonly timeZone: string
  /** 1 for Monday to 7 for Sunday. */
  readonly weekStart: number
  /** The days of the weekend, likewise, in their order; Saturday and Sunday unless given. */
  readonly weekend?: readonly number[]
}

/**
 * What the system says of the person’s place. For dates a system may have another language
 * than for its texts (`LC_TIME`), and it decides here; one that names no place has ISO weeks.
 *
 * @param env handed in by tests
 */
export function systemLocale(env: NodeJS.ProcessEnv = process.env): Locale {
  const system = Intl.DateTimeFormat().resolvedOptions()
  // No zone at all where TZ names one that there isn’t.
  const timeZone = (system.timeZone as string | undefined) ?? 'UTC'
  const named = [env.LC_ALL, env.LC_TIME, env.LANG].find((value) => value)
  const week = weekOf(named === undefined ? system.locale : named.replace(/[.@].*$/, '').replace('_', '-'))
  return { timeZone, weekStart: week?.firstDay ?? 1, weekend: week?.weekend ?? [6, 7] }
}

interface Week {
  readonly firstDay: number
  readonly weekend: readonly number[]
}

/** The week of a language’s region: undefined for `C`, `POSIX` and what is no language. */
function weekOf(tag: string): Week | undefined {
  try {
    // Called `getWeekInfo` by the standard, and `weekInfo` in older engines.
    const locale = new Intl.Locale(tag) as { weekInfo?: Week; getWeekInfo?: () => Week }
    return tag === 'POSIX' ? undefined : (locale.getWeekInfo?.() ?? locale.weekInfo)
  } catch {
    return undefined
  }
}
