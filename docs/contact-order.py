#!/usr/bin/env python3
"""Draws docs/contact-order.svg: errors of hard contact over the length of the step.

    docs/contact-order.py [LIMBER]      default: build/release/app/limber

Runs each scenario below with shorter and shorter steps and compares the position at its end with that of steps of 10 us.
"""
import csv, math, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMBER = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, '../build/release/app/limber'))
STEPS = [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4]
REFERENCE = 1e-5

def loose(shape, size, q, v, com='[0, 0, 0]', inertia='[0.004, 0.004, 0.004]', friction=2, time=1):
    robot = ('name: thing\nbodies: [{name: b, mass: 1, com: %s, inertia: %s, shapes: [{kind: %s, size: %s, role: collision}]}]\n'
             'joints: [{name: root, kind: free, parent: world, child: b}]\n' % (com, inertia, shape, size))
    return robot, ('duration: %g\nrobots: [{model: robot.yaml, initial: {position: {root: %s}, velocity: {root: %s}}}]\n'
                   'contact: {ground: 0, friction: %g}\n' % (time, q, v, friction))

CASES = {
    'disc, mass below, rocks': loose('sphere', '[0.1]', [0, 0, 0.1, 0, math.sin(.5), 0, math.cos(.5)], [0] * 6, '[0, 0, -0.05]', time=2),
    'egg, wobbles in space': loose('ellipsoid', '[0.15, 0.12, 0.1]', [0, 0, 0.1, 0, 0, 0, 1], [1.5, 1, 2, 0.1, -0.15, 0], '[0, 0, -0.01]', '[0.004, 0.006, 0.007]', time=2),
    'top on its tip': loose('sphere', '[0.005]', [0, 0, 0.005, 0, math.sin(.1), 0, math.cos(.1)], [0, 0, 120, 0, -.6 * math.sin(.2), 0], '[0, 0, 0.05]', '[2e-4, 2e-4, 4e-4]'),
    'ball, slides, then rolls': loose('sphere', '[0.1]', [0, 0, 0.1, 0, 0, 0, 1], [3, -10, 2, 1, .3, 0], friction=.2),
    'ball, falls with spin': loose('sphere', '[0.1]', [0, 0, .15, 0, 0, 0, 1], [1, 5, 2, .3, 0, 0], friction=.3),
}
COLORS = ['#1f77b4', '#2ca02c', '#9467bd', '#d62728', '#ff7f0e']

def position(folder, step):
    subprocess.run([LIMBER, 'simulate', 'case.yaml', '-o', 'out', '--no-report', '--set', 'integrator.step=%g' % step],
                   cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, 'out', 'recording.csv')) as file:
        return [float(x) for x in list(csv.reader(file))[-1][1:8]]

def errors(robot, scenario):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (('robot.yaml', robot), ('case.yaml', scenario)):
            with open(os.path.join(folder, name), 'w') as file: file.write(text)
        truth = position(folder, REFERENCE)
        found = []
        for step in STEPS:
            x = position(folder, step)
            sign = 1 if sum(a * b for a, b in zip(x[3:], truth[3:])) > 0 else -1
            found.append(max(max(abs(a - b) for a, b in zip(x[:3], truth[:3])), max(abs(sign * a - b) for a, b in zip(x[3:], truth[3:]))))
        return found

W, H, LEFT, TOP, RIGHT, BOTTOM = 760, 420, 70, 20, 230, 50
def px(step): return LEFT + (math.log10(step) + 4) / 2 * (W - LEFT - RIGHT)
def py(error): return TOP + -math.log10(max(error, 1e-8)) / 8 * (H - TOP - BOTTOM)

out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">' % (W, H), '<rect width="100%" height="100%" fill="white"/>']
for e in range(-8, 1):
    out.append('<line x1="%g" x2="%g" y1="%g" y2="%g" stroke="#ddd"/><text x="%g" y="%g" text-anchor="end">1e%d</text>' % (LEFT, W - RIGHT, py(10.**e), py(10.**e), LEFT - 8, py(10.**e) + 4, e))
for step, text in ((1e-4, '0.1 ms'), (1e-3, '1 ms'), (1e-2, '10 ms')):
    out.append('<line x1="%g" x2="%g" y1="%g" y2="%g" stroke="#ddd"/><text x="%g" y="%g" text-anchor="middle">%s</text>' % (px(step), px(step), TOP, H - BOTTOM, px(step), H - BOTTOM + 20, text))
out.append('<text x="%g" y="%g" text-anchor="middle">step</text><text transform="translate(16,%g) rotate(-90)" text-anchor="middle">off at the end [m, 1]</text>' % ((LEFT + W - RIGHT) / 2, H - 8, (TOP + H - BOTTOM) / 2))
for order, at in ((1, 1e-2), (2, 1e-2)):
    low = at * 100. ** -order
    out.append('<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#888" stroke-dasharray="2 4"/>' % (px(1e-2), py(at), px(1e-4), py(low)))
for k, (name, case) in enumerate(CASES.items()):
    found = errors(*case)
    print('%-34s' % name, *('%.1e' % e for e in found))
    points = ' '.join('%.1f,%.1f' % (px(s), py(e)) for s, e in zip(STEPS, found))
    out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (points, COLORS[k]))
    out.append('<line x1="%g" x2="%g" y1="%g" y2="%g" stroke="%s" stroke-width="2"/><text x="%g" y="%g">%s</text>' % (W - RIGHT + 12, W - RIGHT + 32, 40 + 22 * k, 40 + 22 * k, COLORS[k], W - RIGHT + 38, 44 + 22 * k, name))
out.append('</svg>')
with open(os.path.join(HERE, 'contact-order.svg'), 'w') as file: file.write('\n'.join(out) + '\n')
