// Pictures of plots: the curves as they are drawn, with title, names and values.
import type uPlot from 'uplot';
import { download, fileName } from './download';
import { font } from './plot_style';
import { currentTheme, type Theme } from './theme';
import type { TimePlot } from './time_plot';

const margin = 12;
const titleHeight = 26;
const bold = font.replace('12px', '600 13px');

/** One plot as a PNG file. */
export async function savePlot(title: string, plot: TimePlot): Promise<void> {
  const blob = await pictureOf([plot]);
  if (blob) download(fileName(title, plot.group.title, 'png'), blob);
}

/** Plots below each other; null where none is drawn. */
export function pictureOf(plots: TimePlot[]): Promise<Blob | null> {
  const drawn = plots.filter((plot) => plot.picture !== null);
  if (drawn.length === 0) return Promise.resolve(null);
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const sizes = drawn.map(({ picture, labels }) => ({
    width: picture!.width + labels.root.clientWidth + 2 * margin,
    height: picture!.height + titleHeight + margin,
  }));
  canvas.width = Math.ceil(Math.max(...sizes.map(({ width }) => width)) * ratio);
  canvas.height = Math.ceil(sizes.reduce((sum, { height }) => sum + height, margin) * ratio);
  const context = canvas.getContext('2d')!;
  const theme = currentTheme();
  context.scale(ratio, ratio);
  context.fillStyle = theme.card;
  context.fillRect(0, 0, canvas.width, canvas.height);
  let top = margin;
  drawn.forEach((plot, index) => {
    drawPlot(context, plot, plot.picture!, top, theme);
    top += sizes[index].height;
  });
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

function drawPlot(
  context: CanvasRenderingContext2D,
  { group, labels }: TimePlot,
  picture: uPlot,
  top: number,
  theme: Theme,
): void {
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.font = bold;
  context.fillStyle = theme.ink;
  context.fillText(group.title, margin, top + titleHeight / 2);
  const end = margin + context.measureText(group.title).width + 6;
  context.font = font;
  context.fillStyle = theme.soft;
  if (group.unit) context.fillText(`[${group.unit}]`, end, top + titleHeight / 2);
  const area = top + titleHeight;
  context.drawImage(picture.ctx.canvas, margin, area, picture.width, picture.height);
  const left = margin + picture.width + 6;
  const right = margin + picture.width + labels.root.clientWidth;
  for (const label of labels.visible()) {
    context.fillStyle = label.color;
    context.font = bold;
    context.textAlign = 'left';
    context.fillText(label.name, left, area + label.top + 8, (right - left) * 0.6);
    context.font = font;
    context.textAlign = 'right';
    context.fillText(label.value, right, area + label.top + 8, (right - left) * 0.5);
  }
}
