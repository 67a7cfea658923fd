// How an operator calls a command of the product: the same in a clone, an installed folder and a
// container.

/** The command line of `words`, for example `verify-economy`, in the folder of the product. */
export const commandLine = (words: string): string => `node server/dist/cli.js ${words}`
