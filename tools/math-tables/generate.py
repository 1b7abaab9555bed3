"""Writes packages/core/src/math/generated. Needs Python 3 and mpmath; nothing runs it at build time."""
import json
import random
import struct
from fractions import Fraction
from pathlib import Path

from mpmath import cos, erf, erfc, erfinv, exp, expm1, findroot, log, log1p, mp, mpf, nint, pi, sqrt

mp.prec = 400
HERE = Path(__file__).parents[2] / 'packages/core/src/math/generated'


def fraction(x):
    sign, man, exp, _ = x._mpf_
    value = Fraction(int(man)) * Fraction(2) ** exp
    return -value if sign else value


def double(x):
    """The nearest double, also among the subnormal ones."""
    try:
        return float(fraction(mpf(x)))
    except OverflowError:
        return float('inf') if x > 0 else float('-inf')


def pair(x):
    high = double(x)
    return high, double(x - mpf(high))


def cut(x, bits):
    """x rounded to a multiple of 2^-bits, and the rest."""
    high = nint(mpf(x) * mpf(2) ** bits) / mpf(2) ** bits
    return double(high), double(x - high)


def write_table(name, export, comment, rows):
    lines = [f'/** {comment} */', f'export const {export} = Float64Array.of(']
    lines += ['  ' + ', '.join(repr(v) for v in row) + ',' for row in rows]
    (HERE / name).write_text('\n'.join(lines + [')', '']))


def powers_of_two():
    rows = [pair(mpf(2) ** (mpf(j) / 64)) for j in range(64)]
    write_table('powers-of-two.ts', 'powersOfTwo', '2^(j/64) as a high and a low part.', rows)


def logarithms():
    rows = []
    for i in range(128):
        low, high = interval(i)
        c = 1.0 if low == 1 or high == 1 else double(nint(1024 / ((low + high) / 2)) / 1024)
        rows.append((c, *cut(-log(mpf(c)), 42)))
        worst = max(abs(low * c - 1), abs(high * c - 1))
        assert worst <= mpf(2) ** -7, (i, worst)
    comment = 'c, then log(1/c) as a multiple of 2^-42 and the rest, for each 128th of an octave.'
    write_table('logarithms.ts', 'logarithms', comment, rows)


def interval(i):
    """The fractions m whose table index is i: the octave begins at 0.6875 = 1.375 / 2."""
    position = 48 + i  # 128ths of the octave, counted from 0.5
    if position < 128:
        return mpf(128 + position) / 256, mpf(129 + position) / 256
    return mpf(position) / 128, mpf(position + 1) / 128


def interpolate(f, low, high, degree):
    """Coefficients of the polynomial through f at the Chebyshev points of [low, high]."""
    n = degree + 1
    middle, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    points = [middle + half * cos(pi * (k + mpf(1) / 2) / n) for k in range(n)]
    divided = [f(x) for x in points]
    for level in range(1, n):
        for k in range(n - 1, level - 1, -1):
            divided[k] = (divided[k] - divided[k - 1]) / (points[k] - points[k - level])
    coefficients = [mpf(0)] * n
    for k in range(n - 1, -1, -1):
        shifted = [mpf(0)] + coefficients[:-1]
        coefficients = [s - points[k] * c for s, c in zip(shifted, coefficients)]
        coefficients[0] += divided[k]
    return [double(c) for c in coefficients]


def central_cdf(square):
    return erf(sqrt(square / 2)) / 2 / sqrt(square)


def tail_cdf(t):
    z = 5 * (1 + t) / (1 - t)
    return exp(z * z / 2) * erfc(z / sqrt(mpf(2))) / 2 * (z + 5)


def central_quantile(square):
    return erfinv(2 * sqrt(square)) * sqrt(mpf(2) / square)


def upper_quantile(magnitude):
    """The z above which the probability is exp(-magnitude^2 / 2)."""
    start = magnitude - (log(2 * pi) + 2 * log(magnitude)) / (2 * magnitude)
    goal = -magnitude * magnitude / 2
    return findroot(lambda z: log(erfc(z / sqrt(mpf(2))) / 2) - goal, max(start, mpf(1)))


def tail_quantile(t):
    magnitude = 4 * (1 + t) / (1 - t)
    return 1 - upper_quantile(magnitude) / magnitude


def normal_coefficients():
    def mapped(x, a, b):
        return (mpf(x) - b) / (mpf(x) + a)

    square = mpf('0.3375') ** 2
    tables = [
        ('centralCdf', '(Phi(z) - 1/2) / z in z^2, for |z| up to 1.', central_cdf, 0, 1, 10),
        ('tailCdf', 'Phi(-z) / exp(-z^2/2) * (z + 5) in (z - 5) / (z + 5), for z from 1 to 39.',
         tail_cdf, mapped(1, 5, 5), mapped(39, 5, 5), 20),
        ('centralQuantile', 'Quantile / (p - 1/2) in (p - 1/2)^2, for p from 0.1625 to 1/2.',
         central_quantile, 0, square, 20),
        ('tailQuantile', '1 + Quantile / w in (w - 4) / (w + 4), w = sqrt(-2 log p), p < 0.1625.',
         tail_quantile, mapped('1.9', 4, 4), mapped('38.7', 4, 4), 32),
    ]
    lines = []
    for export, comment, f, low, high, degree in tables:
        values = interpolate(f, low, high, degree)
        lines += [f'/** {comment} */', f'export const {export} = Float64Array.of(']
        lines += [f'  {v!r},' for v in values] + [')', '']
    (HERE / 'normal-coefficients.ts').write_text('\n'.join(lines))


def spread(low, high, count):
    """Points of every size between two positive bounds."""
    span = log(mpf(high) / low)
    return [double(low * exp(span * random.random())) for _ in range(count)]


def between(low, high, count):
    return [random.uniform(low, high) for _ in range(count)]


def any_positive(count):
    patterns = (random.randrange(1, 0x7FF << 52) for _ in range(count))
    return [struct.unpack('<d', struct.pack('<Q', bits))[0] for bits in patterns]


def both_signs(points):
    return [x * random.choice((1, -1)) for x in points]


LARGEST, NORMAL, SMALLEST = 1.7976931348623157e308, 2.2250738585072014e-308, 5e-324


def hard(f, draw):
    """Points whose value is almost halfway between two doubles, where small errors show."""
    found = []
    mp.prec = 110
    for _ in range(300_000):
        point = draw()
        _, man, _, bits = f(*map(mpf, point))._mpf_
        beyond = bits - 53
        half = 1 << max(beyond - 1, 0)
        if beyond > 30 and abs((int(man) % (2 * half)) - half) < half >> 14:
            found.append(point)
    mp.prec = 400
    return found


def exp_points():
    steps = [n * 641 - 20_000 + random.uniform(-0.5, 0.5) for n in range(64)]
    residues = [double(n * log(mpf(2)) / 64) for n in steps]
    edges = [709.782712893384, -708.3964185322641, -745.1332191019411, -745.13321910194122]
    return (residues + edges + between(-745, 709, 80) + between(-745, -708, 40) + between(-1, 1, 60)
            + both_signs(spread(1e-18, 1, 60)) + [1.0, -1.0, 2.0, 0.5, 10.0, SMALLEST, -NORMAL])


def log_points():
    intervals = []
    for i in range(128):
        low, high = interval(i)
        m = double(low + (high - low) * random.random())
        intervals.append(m * 2.0 ** random.choice((0, 0, -1, 1, random.randint(-1000, 1000))))
    near_one = [1 + 2.0 ** -k for k in range(1, 53, 2)] + [1 - 2.0 ** -k for k in range(2, 54, 2)]
    return (intervals + near_one + [1 + d for d in both_signs(spread(1e-15, 0.01, 50))]
            + any_positive(40) + spread(SMALLEST, NORMAL, 30) + between(0, 2, 40)
            + [float(n) for n in range(1, 21)] + [LARGEST, NORMAL, SMALLEST])


def pow_points():
    pairs = [(random.random(), random.uniform(0.05, 10)) for _ in range(100)]
    pairs += [(random.random(), n / 2) for n in range(-6, 30) if n != 0]
    pairs += [(random.uniform(0, 100), float(n)) for n in range(-20, 21) if n != 0]
    pairs += [(float(random.randint(2, 99)), float(n)) for n in range(3, 9)]
    near_one = [1 + d for d in both_signs(spread(2e-16, 0.01, 60))]
    for x in any_positive(60) + near_one:
        pairs.append((x, double(random.uniform(-745, 709) / log(mpf(x)))))
    for x in any_positive(30):
        pairs.append((x, double(random.uniform(-745, -708) / log(mpf(x)))))
    return pairs + [(x, random.uniform(-1, 1)) for x in spread(SMALLEST, NORMAL, 15)]


def expm1_points():
    return (both_signs(spread(1e-20, 1, 120)) + between(-40, 0, 60) + between(0, 709, 60)
            + between(-0.02, 0.02, 60) + [SMALLEST, -SMALLEST, NORMAL, -0.0, 1.0, -1.0, 709.78])


def log1p_points():
    return (both_signs(spread(1e-20, 0.99, 120)) + [-1 + x for x in spread(1e-16, 1, 40)]
            + between(-0.02, 0.02, 60) + any_positive(40) + between(0, 100, 40)
            + between(0.3, 1, 40) + spread(1e3, 1e40, 30)
            + [SMALLEST, -SMALLEST, -0.0, 1.0, -0.5, LARGEST, -1 + 2.0 ** -53])


def cdf_points():
    return (between(-37.5, -1, 120) + between(-1, 1, 60) + between(1, 9, 40)
            + both_signs(spread(1e-17, 1, 30)) + [float(n) for n in range(-37, 9)]
            + between(-38.5, -37.5, 10) + [1 + 2.0 ** -52, -1 - 2.0 ** -52])


def quantile_points():
    halves = [0.5 + d for d in both_signs(spread(1e-16, 0.49, 60))]
    return (between(0, 1, 120) + halves + [2.0 ** -k for k in range(2, 1074, 23)]
            + [1 - 2.0 ** -k for k in range(2, 54, 3)] + spread(SMALLEST, NORMAL, 20)
            + spread(NORMAL, 0.2, 60) + between(0.16, 0.165, 20) + [0.5, 0.1625, 0.025, 0.975])


def quantile(p):
    p = mpf(p)
    if p > mpf('0.1'):
        return erfinv(2 * p - 1) * sqrt(mpf(2))
    return -upper_quantile(sqrt(-2 * log(p)))


def known_values():
    random.seed(20260301)
    hard_exp = hard(exp, lambda: (random.uniform(-2, 2),))
    hard_log = hard(log, lambda: (random.uniform(0.996, 1.0078),))
    hard_pow = hard(lambda x, y: x ** y, lambda: (random.random(), random.uniform(0.1, 10)))
    functions = {
        'exp': (exp, [(x,) for x in exp_points()] + hard_exp),
        'log': (log, [(x,) for x in log_points()] + hard_log),
        'pow': (lambda x, y: x ** y, pow_points() + hard_pow),
        'expm1': (expm1, [(x,) for x in expm1_points()]),
        'log1p': (log1p, [(x,) for x in log1p_points()]),
        'normalCdf': (lambda z: erfc(-z / sqrt(mpf(2))) / 2, [(z,) for z in cdf_points()]),
        'normalQuantile': (quantile, [(p,) for p in quantile_points()]),
    }
    parts = []
    for name, (f, points) in functions.items():
        rows = []
        for point in points:
            signed_zero = name in ('expm1', 'log1p') and point[0] == 0
            value = point[0] if signed_zero else double(f(*map(mpf, point)))
            rows.append(json.dumps([*point, value], separators=(',', ':')))
        parts.append(json.dumps(name) + ':[\n' + ',\n'.join(rows) + '\n]')
        print(name, len(rows))
    (HERE / 'known-values.json').write_text('{\n' + ',\n'.join(parts) + '\n}\n')


if __name__ == '__main__':
    powers_of_two()
    logarithms()
    normal_coefficients()
    known_values()
    print('64/ln2', repr(double(64 / log(mpf(2)))))
    print('ln2/64', cut(log(mpf(2)) / 64, 42))
    print('ln2', cut(log(mpf(2)), 42))
    print('1/3', pair(mpf(1) / 3))
