/** What imports what; an import of types alone is no value's. */
export interface Import {
  readonly from: string
  readonly to: string
  readonly isValue: boolean
}

export function roomOf(file: string): string

export function valueClosure(
  imports: readonly Import[],
  starts: readonly string[],
  isMeant: (file: string) => boolean,
): string[]

export function circles(imports: readonly Import[]): string[][]
