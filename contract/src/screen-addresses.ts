// Which addresses are screens of the application, and which are calls, files or other pages.

/** Never a screen: calls, stand-ins, operators' paths and folders of files. */
const notScreens = /^\/(api|log|sandbox|uploads|health|metrics|assets|art)(\/|$)/

/**
 * Whether a decoded path is answered with the application's page. Hidden files, ways upwards and
 * names with an ending are files that are not there, not screens.
 */
export function isScreenAddress(path: string): boolean {
  if (notScreens.test(path) || path.includes('\\') || path.includes('\0')) return false
  const names = path.split('/')
  return !names.some((name) => name.startsWith('.')) && !/\.\w{1,12}$/.test(names.at(-1) ?? '')
}
