'use strict';
// Draws one chart as SVG from a description:
//   { title, y, logX, logY, wide, one, top, links, curves: [{name, color, kind, values}], caption }
// values[n − 1] is the value for n links, or null; kind is '', 'main' or 'dashed'; `one` draws a
// line at 1 and marks where curves cross it; `top` is where the y axis ends, `links` where the x axis does.

const links = 30;
const linksOf = (chart) => chart.links ?? links;
// a wide chart needs a wide window
function sizeOf(chart) {
  const size =
    chart.wide && innerWidth > 1100
      ? { width: 1380, height: 520, nameWidth: 250 }
      : { width: 680, height: 440, nameWidth: chart.wide ? 215 : 185 };
  return {
    ...size,
    left: 74,
    top: 12,
    right: size.width - size.nameWidth,
    bottom: size.height - 48,
  };
}
let charts = 0;

function element(parent, name, attributes = {}, text = '') {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  parent.append(node);
  return node;
}

function shortNumber(x) {
  if (x >= 1e6) return `${+(x / 1e6).toPrecision(3)} million`;
  if (x >= 100) return Math.round(x).toLocaleString('en').replace(/,/g, '\u202f');
  return `${+x.toPrecision(3)}`;
}

// no line break inside "n = 6" or "5 %"
function bound(text) {
  return text.replace(
    / ([=:>%≤]) ?/g,
    (all, sign) => `\u00a0${sign}${all.endsWith(' ') ? (sign === '%' ? ' ' : '\u00a0') : ''}`,
  );
}

// positions of values on an axis, and the ticks to print
function scale(from, to, low, high, logarithmic) {
  const f = logarithmic ? Math.log : (x) => x;
  const place = (x) => from + ((f(x) - f(low)) / (f(high) - f(low))) * (to - from);
  return { place, ticks: logarithmic ? decades(low, high) : steps(low, high) };
}
function decades(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const digit of [1, 2, 5]) all.push(digit * 10 ** power);
  const inside = all.filter((x) => x >= low * 0.999 && x <= high * 1.001);
  const whole = inside.filter((x) => Math.abs(Math.log10(x) % 1) < 1e-9);
  return inside.length > 9 ? whole : inside;
}
function steps(low, high) {
  const raw = (high - low) / 6,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((s) => s >= raw);
  const all = [];
  for (let k = Math.ceil(low / step); k * step <= high * 1.0001; ++k)
    all.push(+(k * step).toPrecision(6));
  return all;
}

function range(chart) {
  const all = chart.curves.flatMap((c) =>
    c.values.filter((v) => v !== null && (v > 0 || !chart.logY)),
  );
  const low = chart.logY ? Math.min(...all) * 0.8 : 0;
  return [low, chart.top ?? Math.max(...all) * (chart.logY ? 1.3 : 1.06)];
}

function drawAxes(svg, chart, size, x, y) {
  const { right, bottom } = size;
  const few = linksOf(chart) <= 10 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1, 5, 10, 15, 20, 25, 30];
  const numbers = chart.logX ? [1, 2, 3, 5, 7, 10, 15, 20, 30] : few;
  for (const n of numbers.filter((n) => n <= linksOf(chart))) {
    element(svg, 'line', {
      class: 'grid',
      x1: x.place(n),
      x2: x.place(n),
      y1: size.top,
      y2: bottom,
    });
    element(svg, 'text', { x: x.place(n), y: bottom + 19, 'text-anchor': 'middle' }, n);
  }
  for (const value of y.ticks) {
    element(svg, 'line', {
      class: 'grid',
      x1: size.left,
      x2: right,
      y1: y.place(value),
      y2: y.place(value),
    });
    element(
      svg,
      'text',
      { x: size.left - 7, y: y.place(value) + 4, 'text-anchor': 'end' },
      shortNumber(value),
    );
  }
  element(svg, 'line', { class: 'axis', x1: size.left, x2: right, y1: bottom, y2: bottom });
  if (chart.one)
    element(svg, 'line', {
      class: 'one',
      x1: size.left,
      x2: right,
      y1: y.place(1),
      y2: y.place(1),
    });
  element(
    svg,
    'text',
    { x: (size.left + right) / 2, y: size.height - 6, 'text-anchor': 'middle' },
    'number of joints n',
  );
  const middle = (size.top + bottom) / 2;
  element(
    svg,
    'text',
    { x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})` },
    chart.y,
  );
}

// points of a curve; a single point is drawn as a dot
function drawCurve(svg, curve, clip, x, y) {
  const points = [];
  curve.values.forEach((v, k) => {
    if (v !== null && Number.isFinite(y.place(v))) points.push([x.place(k + 1), y.place(v)]);
  });
  const color = `var(--${curve.color})`;
  if (points.length === 1)
    element(svg, 'circle', { cx: points[0][0], cy: points[0][1], r: 4.5, fill: color });
  else
    element(svg, 'polyline', {
      class: `curve ${curve.kind}`,
      stroke: color,
      'clip-path': `url(#${clip})`,
      points: points.map((p) => p.map((v) => v.toFixed(1)).join(',')).join(' '),
    });
  return { curve, end: points[points.length - 1], dot: points.length === 1 };
}

// moves places apart until neighbours have room, and keeps them between top and bottom
function spread(places, gap, top, bottom) {
  for (let pass = 0; pass < 300; ++pass) {
    for (let k = 1; k < places.length; ++k) {
      const lack = gap - (places[k] - places[k - 1]);
      if (lack > 0) ((places[k - 1] -= lack / 2), (places[k] += lack / 2));
    }
    places[0] = Math.max(places[0], top);
    places[places.length - 1] = Math.min(places[places.length - 1], bottom);
  }
  return places;
}

// names at the ends of the curves: in the margin, or beside curves and dots that end before it
function drawNames(svg, ends, size) {
  const name = (curve, attributes) =>
    element(
      svg,
      'text',
      { class: 'name', style: `fill: var(--${curve.color})`, ...attributes },
      curve.name,
    );
  const last = ends
    .filter((e) => e.end && e.end[0] > size.right - 1)
    .sort((a, b) => a.end[1] - b.end[1]);
  const places = spread(
    last.map((e) => e.end[1]),
    16,
    size.top + 4,
    size.bottom,
  );
  last.forEach(({ curve, end }, k) => {
    element(svg, 'path', {
      class: 'leader',
      stroke: `var(--${curve.color})`,
      d: `M${end[0] + 2},${end[1]} L${size.right + 15},${places[k]}`,
    });
    name(curve, { x: size.right + 19, y: places[k] + 4 });
  });
  let dots = 0;
  for (const { curve, end, dot } of ends) {
    if (!end || end[0] > size.right - 1) continue;
    const below = dot && dots++ % 2 === 1;
    name(
      curve,
      below
        ? { x: end[0] + 8, y: end[1] + 14 }
        : { x: end[0] - 6, y: end[1] - 7, 'text-anchor': 'end' },
    );
  }
}

// where a curve crosses 1 for good, between two whole n
function crossing(values) {
  let at = null;
  for (let k = 1; k < values.length; ++k) {
    const a = values[k - 1],
      b = values[k];
    if (a === null || b === null) continue;
    if (a >= 1 && b < 1) at = k + (a - 1) / (a - b);
    if (b >= 1) at = null;
  }
  return at;
}
// a circle at each crossing and the first whole n after it, above and below the line in turn
function drawCrossings(svg, chart, x, y) {
  const found = chart.curves
    .map((curve) => ({ curve, at: crossing(curve.values) }))
    .filter((c) => c.at !== null);
  found
    .sort((a, b) => a.at - b.at)
    .forEach(({ curve, at }, k) => {
      const color = `var(--${curve.color})`;
      const dot = element(svg, 'circle', {
        class: 'cross',
        cx: x.place(at),
        cy: y.place(1),
        r: 5.5,
        stroke: color,
      });
      element(dot, 'title', {}, `${curve.name}: cheaper from n = ${Math.ceil(at)}`);
      element(
        svg,
        'text',
        {
          class: 'name',
          x: x.place(at),
          y: y.place(1) + (k % 2 ? 22 : -12),
          'text-anchor': 'middle',
          style: `fill: ${color}`,
        },
        Math.ceil(at),
      );
    });
}

function addTip(figure, svg, chart, size, x) {
  const tip = document.createElement('div');
  tip.className = 'tip';
  figure.append(tip);
  const cursor = element(svg, 'line', { class: 'cursor', y1: size.top, y2: size.bottom });
  const leave = () => {
    tip.style.display = 'none';
    cursor.style.opacity = 0;
  };
  svg.addEventListener('mouseleave', leave);
  svg.addEventListener('mousemove', (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * size.width;
    let n = 1;
    for (let k = 2; k <= linksOf(chart); ++k)
      if (Math.abs(x.place(k) - at) < Math.abs(x.place(n) - at)) n = k;
    const rows = chart.curves
      .filter((c) => c.values[n - 1] !== null)
      .sort((a, b) => b.values[n - 1] - a.values[n - 1]);
    if (at > size.right + 10 || rows.length === 0) return leave();
    tip.innerHTML = `<b>n = ${n}</b><table>${rows
      .map(
        (c) =>
          `<tr><td><i style="background:var(--${c.color})"></i>${c.name}</td><td>${shortNumber(c.values[n - 1])}</td></tr>`,
      )
      .join('')}</table>`;
    tip.style.display = 'block';
    cursor.style.opacity = 0.4;
    cursor.setAttribute('x1', x.place(n));
    cursor.setAttribute('x2', x.place(n));
    const left = event.clientX - figure.getBoundingClientRect().left;
    tip.style.left = `${Math.min(left + 16, figure.clientWidth - tip.offsetWidth - 6)}px`;
    tip.style.top = `${event.clientY - figure.getBoundingClientRect().top + 14}px`;
  });
}

function drawChart(parent, chart) {
  const figure = document.createElement('figure');
  figure.innerHTML = `<h3>${chart.title}</h3>`;
  parent.append(figure);
  if (chart.wide) figure.className = 'wide';
  const size = sizeOf(chart),
    clip = `clip${++charts}`;
  const svg = element(figure, 'svg', {
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: 'img',
    'aria-label': chart.title,
  });
  element(element(svg, 'clipPath', { id: clip }), 'rect', {
    x: size.left,
    y: size.top - 2,
    width: size.right - size.left + 4,
    height: size.bottom - size.top + 4,
  });
  const x = scale(size.left, size.right, 1, linksOf(chart), chart.logX);
  const y = scale(size.bottom, size.top, ...range(chart), chart.logY);
  drawAxes(svg, chart, size, x, y);
  drawNames(
    svg,
    chart.curves.map((curve) => drawCurve(svg, curve, clip, x, y)),
    size,
  );
  if (chart.one) drawCrossings(svg, chart, x, y);
  addTip(figure, svg, chart, size, x);
  const caption = document.createElement('figcaption');
  caption.innerHTML = bound(chart.caption);
  figure.append(caption);
}
