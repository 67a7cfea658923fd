// What is wrong with a log, in a sentence for the reader: the log contradicts itself or its key.

export class LogFault extends Error {
  override readonly name = 'LogFault'
}
