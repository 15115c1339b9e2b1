// Colours of curves. The first ten are chosen by hand; further ones turn the hue by the golden
// angle, so that neighbours differ most, in three lightnesses.

const chosen: { light: string; dark: string }[] = [
  { light: '#1f5fbf', dark: '#6ea8ff' },
  { light: '#d1610a', dark: '#ff9f55' },
  { light: '#1b8a5a', dark: '#5fd39b' },
  { light: '#b3263a', dark: '#ff8793' },
  { light: '#7a45b5', dark: '#c39bff' },
  { light: '#0e8a9e', dark: '#4fd0e0' },
  { light: '#a3770a', dark: '#e6c04d' },
  { light: '#b83280', dark: '#ff8fcb' },
  { light: '#5b6470', dark: '#b4bdc9' },
  { light: '#4f7f1a', dark: '#a9d86b' },
];
/** so many colours are written as #rrggbb */
export const handPicked = chosen.length;
const lightnesses = { light: [0.5, 0.62, 0.4], dark: [0.76, 0.66, 0.86] };

export function curveColor(index: number, dark: boolean): string {
  const tone = dark ? 'dark' : 'light';
  if (index < chosen.length) return chosen[index][tone];
  const lightness = lightnesses[tone][index % 3];
  return `oklch(${lightness} 0.15 ${((index * 137.508) % 360).toFixed(1)})`;
}
