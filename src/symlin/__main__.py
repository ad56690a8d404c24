"""`python -m symlin` is the command line."""

from symlin.cli import main

if __name__ == "__main__":
    main()
