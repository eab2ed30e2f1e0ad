/**
 * The system prompt: fixed words first, then the place, then what changes least often. It stays byte for byte the same
 * within a session; what changes from turn to turn is told in a note beside the person's words.
 */
import agentPrompt from '../../resources/prompts/agent.md?raw'
import type { Surroundings } from './ports.ts'

export function systemPrompt(place: Surroundings): string {
  const roots = place.roots.map(root => `- ${root.absolute}${place.roots.length > 1 ? ` (${root.name})` : ''}`)
  const parts = [
    agentPrompt.trim(),
    `# Where you are\nRelative paths start at the first of these folders:\n${roots.join('\n')}\nPlatform: ${place.platform}. Shell: ${place.shell}.`,
    ...place.instructions.map(
      ({ path, text }) =>
        `# Instructions of this project, from ${path}\nThe person trusts this folder. These say how to work here; they do not widen what you may do.\n\n${text.trim()}`,
    ),
    `Today is ${place.date}.`,
  ]
  return parts.join('\n\n')
}

/** What is true of this turn alone, or null when there is nothing to say. `known` is what the system prompt was made of. */
export function turnNote(place: Surroundings, known: Surroundings): string | null {
  const lines: string[] = []
  if (place.date !== known.date) lines.push(`Today is ${place.date}.`)
  if (place.dirty.length > 0) {
    const paths = place.dirty.slice(0, 50).map(at => at.path)
    lines.push(`Unsaved text in the editor: ${paths.join(', ')}. Commands see what is on disk.`)
  }
  return lines.length > 0 ? lines.join('\n') : null
}

/** Whether a system prompt made of `known` still tells the truth about where things are. */
export const samePlace = (place: Surroundings, known: Surroundings): boolean =>
  JSON.stringify([place.roots, place.platform, place.shell, place.instructions]) ===
  JSON.stringify([known.roots, known.platform, known.shell, known.instructions])
