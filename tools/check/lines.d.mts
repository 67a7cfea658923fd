export function isProduct(file: string): boolean

export function isTest(file: string): boolean
