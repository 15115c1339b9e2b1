// One diagram of something over something else, with the values of the point under the pointer.
import uPlot from 'uplot';
import { element, section } from './dom';
import { type EndLabel, EndLabels, labelPitch } from './end_labels';
import { formatNumber } from './format';
import { curveColor } from './palette';
import { axis, paddedRange } from './plot_style';
import type { Curve, Diagram, Quantity } from './report';
import { currentTheme, onAppearanceChange, type Theme } from './theme';

const leastHeight = 250;
const padding = 10;
const reach = 24; // pixels from the pointer within which a point is named
const widths: Partial<Record<Curve['kind'], number>> = { limit: 1.75, bar: 12 }; // pixels
const marks: Record<Curve['kind'], EndLabel['mark']> = {
  line: 'solid',
  points: 'points',
  limit: 'limit',
  bar: 'solid',
};

/** Diagrams under the names of their sections. */
export function diagramSections(diagrams: Diagram[]): HTMLElement[] {
  const names = [...new Set(diagrams.map((diagram) => diagram.section))];
  return names.map((name) => {
    const cards = diagrams.filter((diagram) => diagram.section === name).map(diagramCard);
    return section(name, 'diagrams', element('div', { class: 'diagram-grid' }, ...cards));
  });
}

function diagramCard(diagram: Diagram): HTMLElement {
  const place = element('div', { class: 'plot' });
  let plot: uPlot | null = null;
  let shown = diagram.curves.map(() => true);
  let emphasis: number | null = null;
  const opacity = (index: number) =>
    !shown[index] ? 0 : emphasis === null || emphasis === index ? 1 : 0.15;
  const colors = colorNumbers(diagram.curves);
  const color = (index: number, theme: Theme) =>
    diagram.curves[index].kind === 'limit' ? theme.bad : curveColor(colors[index], theme.dark);

  const height = () => Math.max(leastHeight, labels.expanded ? labels.count * labelPitch + 40 : 0);
  const labels = new EndLabels(
    diagram.curves.map((curve) => ({
      name: curve.name,
      title: curve.name,
      mark: marks[curve.kind],
      weight: 0,
    })),
    {
      onShown: (now) => {
        shown = now;
        plot?.redraw();
      },
      onEmphasis: (index) => {
        emphasis = index;
        plot?.redraw();
      },
      onExpand: () => make(),
    },
  );
  const make = () => {
    const theme = currentTheme();
    plot?.destroy();
    plot = null;
    labels.setColors((index) => color(index, theme));
    if (place.clientWidth === 0) return;
    const draw = (drawn: uPlot) => {
      diagram.curves.forEach((curve, index) =>
        drawCurve(drawn, curve, color(index, theme), opacity(index)),
      );
      labels.place(
        diagram.curves.map((curve) => padding + (drawn.valToPos(lastValue(curve), 'y') || 0)),
        drawn.height,
      );
    };
    plot = emptyPlot(diagram, place, height(), theme, draw);
    addReadout(plot, diagram, (index) => shown[index]);
  };
  new ResizeObserver(() => {
    if (plot?.width !== place.clientWidth) make();
  }).observe(place);
  onAppearanceChange(make);

  const note = diagram.note ? element('figcaption', { text: diagram.note }) : null;
  return element(
    'figure',
    { class: 'card plot-card' },
    element('h3', { text: diagram.title }),
    element('div', { class: 'plot-row' }, place, labels.root),
    note,
  );
}

/** The value where a curve reaches farthest to the right. */
function lastValue({ x, y }: Curve): number {
  let best = -1;
  x.forEach((value, row) => {
    if (Number.isFinite(y[row]) && (best < 0 || value >= x[best])) best = row;
  });
  return y[best];
}

/** Limits have a colour of their own and use up none of the others. */
function colorNumbers(curves: Curve[]): number[] {
  let next = 0;
  return curves.map((curve) => (curve.kind === 'limit' ? 0 : next++));
}

const named = ({ label, unit }: Quantity): string => (unit ? `${label} [${unit}]` : label);

/** Axes and grid by uPlot; the curves, whose x may run to and fro, are drawn by us. */
function emptyPlot(
  diagram: Diagram,
  place: HTMLElement,
  height: number,
  theme: Theme,
  draw: (plot: uPlot) => void,
): uPlot {
  const x = rangeOf(diagram.curves.map((curve) => curve.x));
  const y = rangeOf(diagram.curves.map((curve) => curve.y));
  const bottom = axis(theme, 'bottom', named(diagram.x));
  const left = axis(theme, 'left', named(diagram.y));
  // bars stand one above the other: their places are no quantity
  left.show = diagram.curves.some(({ kind }) => kind !== 'bar');
  const options: uPlot.Options = {
    width: place.clientWidth,
    height,
    padding: [padding, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: x }, y: { range: y } },
    axes: [bottom, left],
    series: [{}, { show: true, points: { show: false } }],
    hooks: { draw: [draw] },
  };
  return new uPlot(options, [x, [null, null]], place);
}

function rangeOf(columns: Float32Array[]): [number, number] {
  let min: number | null = null;
  let max: number | null = null;
  for (const column of columns) {
    for (const value of column) {
      if (!Number.isFinite(value)) continue;
      min = Math.min(min ?? value, value);
      max = Math.max(max ?? value, value);
    }
  }
  return paddedRange(min, max);
}

function drawCurve(plot: uPlot, curve: Curve, color: string, opacity: number): void {
  const { ctx, bbox } = plot;
  const pixels = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = opacity;
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.lineWidth = (widths[curve.kind] ?? 2) * pixels;
  ctx.lineJoin = 'round';
  ctx.setLineDash(curve.kind === 'limit' ? [9 * pixels, 5 * pixels] : []);
  ctx.beginPath();
  let drawing = false;
  curve.x.forEach((value, row) => {
    const x = plot.valToPos(value, 'x', true);
    const y = plot.valToPos(curve.y[row], 'y', true);
    const finite = Number.isFinite(x) && Number.isFinite(y);
    if (finite && curve.kind === 'points') ctx.moveTo(x + 3 * pixels, y);
    if (finite && curve.kind === 'points') ctx.arc(x, y, 3 * pixels, 0, 2 * Math.PI);
    else if (finite && drawing) ctx.lineTo(x, y);
    else if (finite) ctx.moveTo(x, y);
    drawing = finite;
  });
  if (curve.kind === 'points') ctx.fill();
  else ctx.stroke();
  ctx.restore();
}

/** A ring on the point nearest to the pointer, and its values. */
function addReadout(plot: uPlot, diagram: Diagram, isShown: (curve: number) => boolean): void {
  const ring = element('div', { class: 'ring', hidden: '' });
  const tip = element('div', { class: 'tip', hidden: '' });
  plot.over.append(ring, tip);
  plot.over.addEventListener('pointermove', (event) => {
    const found = nearestPoint(
      plot,
      diagram.curves.filter((_, index) => isShown(index)),
      event.offsetX,
      event.offsetY,
    );
    ring.hidden = tip.hidden = found === null;
    if (!found) return;
    ring.style.transform = tip.style.transform = `translate(${found.left}px, ${found.top}px)`;
    tip.classList.toggle('leftwards', found.left > plot.over.clientWidth / 2);
    const x = `${formatNumber(found.x)} ${diagram.x.unit}`;
    const y = `${formatNumber(found.y)} ${diagram.y.unit}`;
    tip.textContent = `${found.curve.name}: ${x}, ${y}`;
  });
  plot.over.addEventListener('pointerleave', () => (ring.hidden = tip.hidden = true));
}

function nearestPoint(plot: uPlot, curves: Curve[], left: number, top: number) {
  let best: { curve: Curve; x: number; y: number; left: number; top: number } | null = null;
  let least = reach;
  for (const curve of curves) {
    for (let row = 0; row < curve.x.length; ++row) {
      const x = plot.valToPos(curve.x[row], 'x');
      const y = plot.valToPos(curve.y[row], 'y');
      const distance = Math.hypot(x - left, y - top);
      if (distance >= least) continue;
      least = distance;
      best = { curve, x: curve.x[row], y: curve.y[row], left: x, top: y };
    }
  }
  return best;
}
