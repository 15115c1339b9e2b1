// Reports for the tests, computed here from closed forms: nothing of the page's own code is used.

export const pack = (values) =>
  `f32:${Buffer.from(Float32Array.from(values).buffer).toString('base64')}`;
const range = (count, value) => Array.from({ length: count }, (_, index) => value(index));
const aboutZ = (angle) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
const aboutY = (angle) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];

export const arm = { upper: 0.45, lower: 0.38, height: 0.35, duration: 4, rows: 401 };

/** Joint angles of the arm: waist about z, shoulder and elbow about y. */
export function armAngles(time) {
  return {
    waist: 0.8 * Math.sin(1.2 * time),
    shoulder: -0.5 + 0.5 * Math.sin(1.9 * time),
    elbow: 1.1 + 0.6 * Math.cos(1.5 * time),
  };
}

/** Where the elbow is, in closed form. */
export function elbowAt(time) {
  const { waist, shoulder } = armAngles(time);
  const reach = arm.upper * Math.cos(shoulder);
  return [
    reach * Math.cos(waist),
    reach * Math.sin(waist),
    arm.height - arm.upper * Math.sin(shoulder),
  ];
}

function armPoses(time) {
  const { waist, shoulder, elbow } = armAngles(time);
  const turned = product(aboutZ(waist), aboutY(shoulder));
  return [
    [0, 0, 0, ...aboutZ(waist)],
    [0, 0, arm.height, ...turned],
    [...elbowAt(time), ...product(turned, aboutY(elbow))],
  ];
}

function armShapes() {
  const alongX = aboutY(Math.PI / 2);
  const link = (length, radius, color) => [
    {
      kind: 'capsule',
      size: [radius, length],
      position: [length / 2, 0, 0],
      quaternion: alongX,
      color,
      from: 'visual',
    },
    {
      kind: 'cylinder',
      size: [radius * 1.5, radius * 3.2],
      position: [0, 0, 0],
      quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      color: [0.25, 0.28, 0.33, 1],
      from: 'visual',
    },
    {
      kind: 'ellipsoid',
      size: [length / 2, radius, radius],
      position: [length / 2, 0, 0],
      quaternion: [0, 0, 0, 1],
      color: [0.55, 0.6, 0.7, 1],
      from: 'inertia',
    },
  ];
  return {
    base: [
      {
        kind: 'cylinder',
        size: [0.11, 0.06],
        position: [0, 0, 0.03],
        quaternion: [0, 0, 0, 1],
        color: [0.25, 0.28, 0.33, 1],
        from: 'visual',
      },
      {
        kind: 'cylinder',
        size: [0.07, 0.26],
        position: [0, 0, 0.18],
        quaternion: [0, 0, 0, 1],
        color: [0.93, 0.62, 0.15, 1],
        from: 'visual',
      },
    ],
    upper: link(arm.upper, 0.045, [0.93, 0.62, 0.15, 1]),
    lower: [
      ...link(arm.lower, 0.036, [0.93, 0.62, 0.15, 1]),
      {
        kind: 'box',
        size: [0.05, 0.09, 0.02],
        position: [arm.lower + 0.03, 0, 0],
        quaternion: [0, 0, 0, 1],
        color: [0.25, 0.28, 0.33, 1],
        from: 'visual',
      },
    ],
  };
}

function armScene() {
  const shapes = armShapes();
  return {
    bodies: [
      { name: 'base', mass: 6, com: [0, 0, 0.15], shapes: shapes.base },
      { name: 'upper_arm', mass: 4.2, com: [arm.upper / 2, 0, 0], shapes: shapes.upper },
      { name: 'lower_arm', mass: 2.8, com: [arm.lower / 2, 0, 0], shapes: shapes.lower },
    ],
    links: [
      [0, -1],
      [1, 0],
      [2, 1],
    ],
    frames: [
      { name: 'tool', body: 2, position: [arm.lower + 0.05, 0, 0], quaternion: [0, 0, 0, 1] },
      { name: 'elbow', body: 2, position: [0, 0, 0], quaternion: [0, 0, 0, 1] },
    ],
    trails: ['tool'],
    markers: [{ name: 'target', position: [0.5, 0.35, 0.1] }],
  };
}

const emptySummary = { status: 'finished', ok: true, message: '', facts: [], warnings: [] };

/** A two-link arm on a turning base: replay, plots with references, events. */
export function armReport() {
  const times = range(arm.rows, (row) => (row * arm.duration) / (arm.rows - 1));
  const over = (value) => pack(times.map(value));
  const angle = (joint) => over((time) => armAngles(time)[joint]);
  const rate = (joint) =>
    over((time) => (armAngles(time + 1e-5)[joint] - armAngles(time - 1e-5)[joint]) / 2e-5);
  return {
    format: 1,
    title: 'Two-link arm swings <b>&amp; turns</b>',
    robot: 'two_link_arm',
    description:
      'An arm with two links on a turning base follows sines; the curves and the picture are computed from the same closed form.',
    summary: {
      ...emptySummary,
      facts: [
        { label: 'Simulated', value: '4.0 s' },
        { label: 'Real-time factor', value: '251' },
        { label: 'Integrator', value: 'rk4, 1 ms' },
        { label: 'Largest tracking error', value: '0.0021 rad' },
        { label: 'Energy drift', value: '3.1×10⁻⁹ J' },
      ],
    },
    gravity: [0, 0, -9.81],
    scene: armScene(),
    time: pack(times),
    poses: pack(times.flatMap((time) => armPoses(time).flat())),
    center_of_mass: pack(
      times.flatMap((time) =>
        elbowAt(time).map((value, axis) => 0.5 * value + (axis === 2 ? 0.1 : 0)),
      ),
    ),
    groups: [
      {
        title: 'Positions',
        unit: 'rad',
        series: [
          ...['waist', 'shoulder', 'elbow'].map((joint) => ({ name: joint, data: angle(joint) })),
          ...['waist', 'shoulder', 'elbow'].map((joint, index) => ({
            name: `${joint} reference`,
            dashed: true,
            color: index,
            data: over((time) => armAngles(time)[joint] + 0.04 * Math.sin(5 * time + index)),
          })),
        ],
      },
      {
        title: 'Velocities',
        unit: 'rad/s',
        series: ['waist', 'shoulder', 'elbow'].map((joint) => ({ name: joint, data: rate(joint) })),
      },
      {
        title: 'Torques',
        unit: 'N m',
        series: ['waist', 'shoulder', 'elbow'].map((joint, index) => ({
          name: joint,
          data: over(
            (time) => 14 * (index + 1) * Math.cos(armAngles(time)[joint]) + 3 * Math.sin(9 * time),
          ),
        })),
      },
      {
        title: 'Energy error',
        unit: 'J',
        series: [{ name: 'total', data: over((time) => 3e-9 * Math.sin(20 * time) * time) }],
      },
      { title: 'Supply voltage', unit: 'V', series: [{ name: 'bus', data: over(() => 48) }] },
    ],
    events: [
      { time: 1.25, text: "joint 'elbow' reached its upper limit" },
      { time: 2.9, text: 'gripper closed' },
    ],
  };
}

/** Many joints: one plot with references, one without; a trunk of bodies without any shape. */
export function manySeriesReport({ rows = 2001, joints = 20, bodies = 12 } = {}) {
  const times = range(rows, (row) => (row * 10) / (rows - 1));
  const series = range(2 * joints, (index) => {
    const joint = index % joints;
    return {
      name: `${index < joints ? 'joint' : 'reference'}_${joint + 1}`,
      dashed: index >= joints,
      color: joint,
      data: pack(
        times.map(
          (time) => Math.sin(time * (0.5 + joint / 9)) + joint / 6 + (index < joints ? 0 : 0.08),
        ),
      ),
    };
  });
  const lone = range(2 * joints, (index) => ({
    name: `joint_${index + 1}`,
    data: pack(times.map((time) => index * Math.cos(time * (0.3 + index / 30)))),
  }));
  const poses = times.flatMap((time) =>
    range(bodies, (body) => {
      const sway = 0.06 * body * Math.sin(time + body / 4);
      return [sway, 0.05 * body * Math.cos(1.3 * time), 0.14 * body, ...aboutZ(sway)];
    }).flat(),
  );
  return {
    format: 1,
    title: 'A trunk of many joints',
    robot: 'elephant',
    description: '',
    summary: emptySummary,
    scene: {
      bodies: range(bodies, (body) => ({
        name: `segment_${body}`,
        mass: 1,
        com: [0, 0, 0],
        shapes: [],
      })),
      links: range(bodies, (body) => [body, body - 1]),
      frames: [],
      trails: [],
    },
    time: pack(times),
    poses: pack(poses),
    groups: [
      { title: 'Positions', unit: 'rad', series },
      { title: 'Torques', unit: 'N m', series: lone },
    ],
  };
}

/** What `limber analyse` shows: diagrams and tables, no motion. */
export function designReport() {
  const angles = range(300, (index) => (index / 299) * 2 * Math.PI);
  const diagram = (name, scale) => ({
    title: `Torque over speed, ${name}`,
    x: { label: 'speed', unit: 'rad/s' },
    y: { label: 'torque', unit: 'N m' },
    note: 'The task must stay inside the limit; points are the operating points of each phase.',
    curves: [
      {
        name: 'task',
        kind: 'line',
        x: pack(angles.map((angle) => 2 * Math.sin(angle))),
        y: pack(angles.map((angle) => scale * Math.cos(angle) + 4 * Math.sin(3 * angle))),
      },
      {
        name: 'operating points',
        kind: 'points',
        x: pack([-1.5, 0.2, 1.7]),
        y: pack([5, scale, -6]),
      },
      { name: 'peak limit', kind: 'limit', x: pack([-3, -1, 3]), y: pack([28, 28, 12]) },
      { name: 'peak limit, braking', kind: 'limit', x: pack([-3, 1, 3]), y: pack([-12, -28, -28]) },
    ],
  });
  return {
    format: 1,
    title: 'Design of the Puma’s drives',
    robot: 'puma560',
    description: 'Motors, gears and bearings against the task of one pick-and-place cycle.',
    summary: {
      ...emptySummary,
      status: 'limits violated',
      ok: false,
      message: 'The shoulder’s motor is too hot, and the elbow’s peak torque is beyond its limit.',
      facts: [
        { label: 'Drives', value: '6' },
        { label: 'Energy per cycle', value: '184 J' },
      ],
    },
    diagrams: ['waist', 'shoulder', 'elbow'].map((name, index) => diagram(name, 16 + 7 * index)),
    tables: [
      {
        title: 'Motors',
        note: 'Root mean square over one cycle; temperatures in the steady state.',
        columns: [
          { name: 'drive', unit: '' },
          { name: 'peak torque', unit: 'N m' },
          { name: 'RMS torque', unit: 'N m' },
          { name: 'peak speed', unit: 'rad/s' },
          { name: 'winding', unit: '°C' },
          { name: 'margin', unit: '' },
        ],
        rows: [
          { cells: ['waist', 12.3, 6.42, 2.1, 71, 1.9], state: 'ok' },
          { cells: ['shoulder', 56.7, 31.25, 1.83, 158.2, 0.81], state: 'violation' },
          { cells: ['elbow', 29.4, 14.02, 3.2, 118, 1.04], state: 'warning' },
          { cells: ['wrist', 0.000312, 1.5e-7, 5, 40, null], state: 'ok' },
        ],
      },
      {
        title: 'Bearing loads',
        note: '',
        columns: [
          { name: 'joint', unit: '' },
          { name: 'radial', unit: 'N' },
          { name: 'axial', unit: 'N' },
          { name: 'tilting', unit: 'N m' },
        ],
        rows: [{ cells: ['waist', 320.5, 812, 145.2] }, { cells: ['shoulder', 610, 44, 96.3] }],
      },
    ],
  };
}

/** A run that blew up: the last rows are huge and then not numbers. */
export function divergedReport() {
  const report = armReport();
  const rows = 200;
  const times = range(rows, (row) => row * 0.01);
  const growing = (row) => (row < 190 ? Math.sin(row / 12) : row < 196 ? 10 ** (row - 186) : NaN);
  const poses = times.flatMap((time, row) =>
    armPoses(time)
      .map((pose) => (row < 190 ? pose : pose.map((value) => value * growing(row))))
      .flat(),
  );
  return {
    ...report,
    title: 'Two-link arm without a brake',
    description: '',
    summary: {
      status: 'diverged',
      ok: false,
      message:
        "At 1.96 s the velocity of joint 'elbow' passed 10⁶ rad/s: the step of 10 ms is too long for this controller.",
      facts: [{ label: 'Simulated', value: '1.96 s of 4.0 s' }],
      warnings: [
        "Body 'upper_arm': the largest principal moment of inertia exceeds the sum of the others.",
        'The controller asked for more than the motor can give during 38 % of the run.',
        'No energy balance: a drive without efficiency data was used.',
      ],
    },
    time: pack(times),
    poses: pack(poses),
    center_of_mass: undefined,
    groups: [
      {
        title: 'Positions',
        unit: 'rad',
        series: [
          { name: 'elbow', data: pack(range(rows, growing)) },
          { name: 'waist', data: pack(times.map(Math.sin)) },
        ],
      },
    ],
    events: [{ time: 1.96, text: 'the run was stopped' }],
  };
}

/** The arm on a cart that drives two hundred metres. */
export function travellingReport() {
  const times = range(arm.rows, (row) => (row * arm.duration) / (arm.rows - 1));
  const report = armReport();
  report.scene.markers = [];
  report.scene.trails = [];
  const moved = (time) => armPoses(time).map(([x, ...rest]) => [x + 50 * time, ...rest]);
  report.poses = pack(times.flatMap((time) => moved(time).flat()));
  return { ...report, center_of_mass: undefined };
}

/** A series that is one number short. */
export function wrongReport() {
  const report = armReport();
  report.groups[1].series[0].data = pack(range(arm.rows - 1, () => 0));
  return report;
}
