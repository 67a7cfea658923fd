// Finds labels and what they label by id, as browsers do.
//
// jsdom walks through the whole page for the control of a label, and again for each of them to find
// the labels of a field. A search by label asks for those of every field.

import { forgetOnChange } from './page-changes.ts'

const fields = [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
]
const labelable = 'button, input:not([type=hidden]), meter, output, progress, select, textarea'

function controlOf(label: HTMLLabelElement): Element | null {
  if (!label.hasAttribute('for')) return label.querySelector(labelable)
  const root = label.getRootNode() as ParentNode & Partial<NonElementParentNode>
  const found = root.getElementById?.(label.htmlFor) ?? null
  return found?.matches(labelable) ? found : null
}

const isFinding = Symbol.for('labels are found by id')

function labelsIn(root: ParentNode): Map<Element, HTMLLabelElement[]> {
  const found = new Map<Element, HTMLLabelElement[]>()
  for (const label of root.querySelectorAll('label')) {
    const control = controlOf(label)
    if (control !== null) found.set(control, [...(found.get(control) ?? []), label])
  }
  return found
}

/** Makes `control` of labels and `labels` of fields quick; the answers are the same. */
export function findLabelsById(): void {
  const page = document as Document & { [isFinding]?: true }
  if (page[isFinding]) return
  page[isFinding] = true
  const control = {
    configurable: true,
    get(this: HTMLLabelElement) {
      return controlOf(this)
    },
  }
  Object.defineProperty(HTMLLabelElement.prototype, 'control', control)
  let known: Map<Element, HTMLLabelElement[]> | undefined
  const forget = () => {
    known = undefined
  }
  const forgetChanged = forgetOnChange(forget, { attributeFilter: ['for', 'id', 'type'] })
  const labels = {
    configurable: true,
    get(this: HTMLInputElement) {
      if (this.type === 'hidden') return null
      const root = this.getRootNode() as ParentNode
      if (root !== document) return labelsIn(root).get(this) ?? []
      forgetChanged()
      known ??= labelsIn(document)
      return known.get(this) ?? []
    },
  }
  for (const { prototype } of fields) Object.defineProperty(prototype, 'labels', labels)
}
