/** The mapping while a person works on it: which column feeds which field. Pure. */

import type {Mapping, Proposal, ProposedColumn, Recipe, RecipeStep} from '../api/shapes.js'

export interface Draft {
  mapping: Mapping
  recipe: Recipe | null
}

/** What stands at first: what was settled, else what is proposed. */
export function draftOf(proposal: Proposal): Draft {
  const settled = proposal.mapping
  return {
    mapping: {...(settled ?? proposal.proposed.mapping)},
    recipe: settled ? proposal.recipe : proposal.proposed.recipe,
  }
}

/** What the engine itself would do, whatever was settled. */
export const suggested = (proposal: Proposal): Draft =>
  ({mapping: {...proposal.proposed.mapping}, recipe: proposal.proposed.recipe})

/** Send a column to a field, or to none. A field is fed by one column: the other one loses it. */
export function assign(draft: Draft, column: string, field: string | null): Draft {
  const kept = Object.entries(draft.mapping).filter(([other, target]) => other !== column && target !== field)
  const mapping = Object.fromEntries(kept)
  if (field !== null) mapping[column] = field
  return {mapping, recipe: draft.recipe}
}

const list = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : [])

/** The columns that a step makes. */
export function made(step: RecipeStep): string[] {
  switch (step.do) {
    case 'split':
      return list(step['into'])
    case 'join':
    case 'copy':
    case 'constant':
      return [String(step['into'])]
    case 'unpivot':
      return [String(step['nameInto']), String(step['valueInto'])]
    default:
      return []
  }
}

/** The columns that a step reads. */
export const read = (step: RecipeStep): string[] =>
  typeof step['column'] === 'string' ? [step['column']] : list(step['columns'])

/** The columns of the file and those that steps made, in the order they came to be. */
export function columnsOf(proposal: Proposal, draft: Draft): ProposedColumn[] {
  const names = new Set(proposal.columns.map(column => column.column))
  const extra = (draft.recipe?.steps ?? []).flatMap(made).filter(name => !names.has(name))
  return [
    ...proposal.columns,
    ...extra.map(column => ({
      column, field: draft.mapping[column] ?? null, score: 100, reason: '', decidedBy: null, alternatives: [], samples: [],
    })),
  ]
}

/** Add a step at the end of the recipe. */
export function withStep(draft: Draft, step: RecipeStep): Draft {
  return {...draft, recipe: {version: draft.recipe?.version ?? 1, steps: [...(draft.recipe?.steps ?? []), step]}}
}

/** Take a step away, and with it what stands on its columns. */
export function withoutStep(draft: Draft, at: number): Draft {
  const steps = draft.recipe?.steps ?? []
  const gone = new Set(steps[at] ? made(steps[at]) : [])
  const kept = steps.filter((step, place) => {
    if (place === at) return false
    if (!read(step).some(name => gone.has(name))) return true
    made(step).forEach(name => gone.add(name))
    return false
  })
  const mapping = Object.fromEntries(Object.entries(draft.mapping).filter(([column]) => !gone.has(column)))
  return {mapping, recipe: kept.length ? {version: draft.recipe?.version ?? 1, steps: kept} : null}
}

/** A name that no column has yet. */
export function freeName(taken: Iterable<string>, wanted: string): string {
  const names = new Set(taken)
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} (${number})`
    if (!names.has(name)) return name
  }
}
