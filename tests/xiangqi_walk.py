#!/usr/bin/env python3
"""Random walks through xiangqi beside pyffish (pip install pyffish): legal moves and checks must agree.

    tests/xiangqi_walk.py [--engine target/release/baize] [--cpu NAME] [--positions 100000] [--seed 1]

Half of the walks start from the start position, the others from tests/cases/xiangqi_perft.tsv. pyffish counts ranks from 1.
"""
import argparse, random, re, subprocess, sys
from pathlib import Path

import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def lowered(move):
    """A move with ranks from 1 as one with ranks from 0."""
    return re.sub(r"\d+", lambda m: str(int(m[0]) - 1), move)


def walk(rng, starts):
    """Positions of one random game as (FEN, moves, check)."""
    fen = START if rng.random() < 0.5 else rng.choice(starts)
    for _ in range(rng.randrange(20, 200)):
        moves = pyffish.legal_moves("xiangqi", fen, [])
        yield fen, sorted(map(lowered, moves)), pyffish.gives_check("xiangqi", fen, [])
        if not moves:
            return
        fen = pyffish.get_fen("xiangqi", fen, [rng.choice(moves)])


class Engine:
    """The engine, asked for one position after the other."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, fen):
        """Legal moves, and whether there is a check."""
        self.process.stdin.write(f"position fen {fen}\nd\ngo perft 1\n")
        self.process.stdin.flush()
        moves, check = [], False
        for line in self.process.stdout:
            if m := re.match(r"([a-i]\d[a-i]\d): 1$", line):
                moves.append(m[1])
            elif line.startswith("Checkers:"):
                check = bool(line.split()[1:])
            elif line.startswith("Nodes searched"):
                return sorted(moves), check
        sys.exit(f"{fen}: the engine is gone")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--engine", default=str(root / "target/release/baize"))
    parser.add_argument("--cpu")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = [args.engine, "--game", "xiangqi"] + (["--cpu", args.cpu] if args.cpu else [])
    cases = (root / "tests/cases/xiangqi_perft.tsv").read_text().splitlines()
    starts = [line.split("\t")[0] for line in cases if not line.startswith("#")]
    rng, engine, seen = random.Random(args.seed), Engine(command), 0
    while seen < args.positions:
        for fen, moves, check in walk(rng, starts):
            found, checked = engine.ask(fen)
            if moves != found:
                sys.exit(f"{fen}: moves differ: {sorted(set(moves) ^ set(found))}")
            if check != checked:
                sys.exit(f"{fen}: pyffish says check is {check}")
            seen += 1
        print(f"\r{seen} positions", end="", file=sys.stderr)
    print(f"\n{seen} positions: no difference", file=sys.stderr)


if __name__ == "__main__":
    main()
