import type { Arguments } from './arguments.ts'
export async function playOnPostgres(_given: Arguments, _say: (line: string) => void): Promise<boolean> { return false }
