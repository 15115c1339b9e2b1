// Names as a plot shows them: without the words that all of its series share.

export interface ShortNames {
  names: string[];
  /** what stood before all of them */
  front: string;
}

/** "waist.command", "elbow.command" → "waist", "elbow"; "tool.x", "tool.y" → "x", "y" of "tool". */
export function shortNames(names: string[]): ShortNames {
  if (names.length === 0) return { names, front: '' };
  const distinct = new Set(names);
  const parts = [...distinct].map((name) => name.split('.'));
  let front = 0;
  let back = 0;
  const longest = () => Math.min(...parts.map((one) => one.length)) - front - back;
  const same = (at: (one: string[]) => string) => parts.every((one) => at(one) === at(parts[0]));
  // what an ending says is said by the title, too; a lone series keeps its first word
  while (longest() > 1 && same((one) => one[one.length - 1 - back])) ++back;
  while (distinct.size > 1 && longest() > 1 && same((one) => one[front])) ++front;
  return {
    names: names.map((name) => {
      const words = name.split('.');
      return words.slice(front, words.length - back).join('.');
    }),
    front: parts[0].slice(0, front).join('.'),
  };
}
