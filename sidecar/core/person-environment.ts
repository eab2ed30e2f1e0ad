/** The person's environment, as their login shell has it once it has answered. What a desktop hands its programs is poorer. */

export interface PersonEnvironment {
  /** As far as is known; filled in place when the login shell has answered, so that whoever holds it sees that too. */
  readonly now: NodeJS.ProcessEnv
  /** The login shell's. The same answer for everybody, until it changed. */
  login(): Promise<NodeJS.ProcessEnv>
  /**
   * One in which all of these are set, where there is one: what Belay was started with in a terminal, for then no shell need be
   * started and waited for; else the login shell's.
   */
  holding(names: readonly string[]): Promise<NodeJS.ProcessEnv>
  /** Resolves when `now` is as the person's own terminal would have it: at once where Belay was started in one. */
  settled(): Promise<void>
  /** The next `login` asks anew. */
  forget(): void
}

/** `poor`: started by a desktop. `ask` falls back by itself, within a time of its own. */
export function createPersonEnvironment(options: {
  given: NodeJS.ProcessEnv
  poor: boolean
  ask(): Promise<NodeJS.ProcessEnv>
}): PersonEnvironment {
  const { given, poor } = options
  const now = poor ? { ...given } : given
  let answer: Promise<NodeJS.ProcessEnv> | null = null
  const ask = async () => {
    const said = await options.ask()
    if (poor) Object.assign(now, said)
    return said
  }
  const login = () => {
    answer ??= ask().catch(fault => {
      answer = null
      throw fault
    })
    return answer
  }
  return {
    now,
    login,
    holding: async names => (!poor && names.length > 0 && names.every(name => given[name]) ? given : login()),
    settled: async () => {
      if (poor) await login().catch(() => {})
    },
    forget() {
      answer = null
      if (poor) void login().catch(() => {})
    },
  }
}
