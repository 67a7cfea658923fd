/** The most that a first visit of a screen may load of scripts, by address, in bytes. */
export const budgets: Readonly<Record<string, number>>

export function scriptLoads(dist?: string): {
  readonly address: string
  readonly bytes: number
  readonly files: number
  readonly budget: number
}[]

export function checkScriptBudgets(): boolean
