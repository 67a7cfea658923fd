// The offline verifier: the site's own check of a saved file, as a page that needs no network and
// no site. It is bundled into one HTML file (tools/offline-tools.mjs).

import {
  checkSaved,
  readSavedFile,
  type Verdict,
  type VerificationStep,
} from '@redpack/fair/verify'

const marks: Readonly<Record<Verdict, string>> = {
  passed: '\u2714 Passed',
  waiting: '\u25f7 Waiting',
  failed: '\u2718 Failed',
  unchecked: '\u25cb Not checked',
  noted: '\u25c6 Noted',
}

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

function stepElement({ title, verdict, text, values }: VerificationStep): HTMLElement {
  const step = document.createElement('li')
  const heading = element('h3', title)
  const details = document.createElement('dl')
  for (const { name, value } of values) {
    details.append(element('dt', name), element('dd', value))
  }
  step.append(element('p', marks[verdict], verdict), heading, element('p', text), details)
  return step
}

async function report(file: File, keyText: string): Promise<HTMLElement[]> {
  const { verdict, summary, steps } = await checkSaved(await readSavedFile(file), keyText)
  const list = document.createElement('ol')
  list.append(...steps.map(stepElement))
  return [element('h2', file.name), element('p', summary, `verdict ${verdict}`), list]
}

function start(): void {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  const key = document.querySelector<HTMLInputElement>('input[type="text"]')
  const place = document.querySelector<HTMLElement>('[role="status"]')
  if (!input || !key || !place) return
  const check = async () => {
    const file = input.files?.[0]
    if (!file) return place.replaceChildren()
    try {
      place.replaceChildren(...(await report(file, key.value.trim())))
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The file could not be read.'
      place.replaceChildren(element('p', text, 'verdict failed'))
    }
  }
  input.addEventListener('change', check)
  key.addEventListener('change', check)
}

start()
