"""Writers: Terms and Statements to text formats."""
